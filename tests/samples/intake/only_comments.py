# nur ein Kommentar

   
