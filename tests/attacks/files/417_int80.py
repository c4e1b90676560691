"""Runs machine code with the 32-bit call gate, which has other call numbers; right outcome: killed by the architecture check."""
# points: none | verdict: crashed
import ctypes
import mmap

# honest solution

raw  # x86_64 only
code = bytes.fromhex("53 b814000000 cd80 5b c3")  # push rbx; mov eax, 20 (getpid); int 0x80; pop rbx; ret
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
attempt("int 0x80", lambda: ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())
