"""Downloads as each platform makes them, of invented people; written by the tests that read them."""

import io
import struct
import unicodedata
import warnings
import zipfile
import zlib

CODE = b"class ResidualAdd:\n    pass\n"
FOLDER = "Ada Love_1_assignsubmission_file"  # what Moodle makes for one student
ZONE = b"2026-09-14 23:10:05.120000 America/New_York\n"


def zipped(members):
    """The bytes of a zip with these (name, bytes) pairs; a name may be there twice."""
    data = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, (2026, 9, 14, 23, 59, 0)), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def raw_zip(members):
    """The same of (name in bytes, bytes, flags, mode): what zipfile itself does not write."""
    out, table = b"", b""
    for name, content, flags, mode in members:
        checksum, size = zlib.crc32(content), len(content)
        table += struct.pack(
            "<4s6H3I5H2I", b"PK\1\2", 0x031E, 20, flags, 0, 0, 0x5D2E, checksum, size, size, len(name),
            0, 0, 0, 0, mode << 16, len(out),
        ) + name  # fmt: skip
        out += struct.pack(
            "<4s5H3I2H", b"PK\3\4", 20, flags, 0, 0, 0x5D2E, checksum, size, size, len(name), 0
        ) + name + content  # fmt: skip
    count = len(members)
    return out + table + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(table), len(out), 0)


def receipt(name, user, files, words=("Name", "Original filename", "Filename")):
    """What Blackboard writes for each attempt, in any language."""
    lines = [f"{words[0]}: {name} ({user})", "Assignment: Lab 2", "Date: Monday, September 14, 2026 11:51:00 PM EDT"]
    for original, packed in files:
        lines += [f"\t{words[1]}: {original}", f"\t{words[2]}: {packed}"]
    return "\n".join(lines).encode()


def blackboard():
    members = []
    for name, user, time in (
        ("Amara Oduya", "aoduya", "2026-09-14-23-51-00"),
        ("Måns Lindqvist", "m_lindqvist", "2026-09-14-23-52-00"),
        ("Amara Oduya", "aoduya", "2026-09-15-08-00-00"),
    ):
        stem = f"Lab 2_Residual_{user}_attempt_{time}"
        members += [
            (f"{stem}_block.py", CODE),
            (f"{stem}.txt", receipt(name, user, [("block.py", f"{stem}_block.py")])),
        ]
    return members


GRADESCOPE = """---
submission_88001:
  :submitters:
  - :name: Amara Oduya
    :sid: '00260017'
    :email: aoduya@example.edu
  :created_at: 2026-09-14 22:10:05.000000000 Z
  :score: 7.5
  :results:
    :output: |-
      :submitters: nobody
  :history:
  - :id: 1
    :submitters:
    - :name: Somebody Else
submission_88002:
  ":submitters":
    - ":name": Ji-soo Park
      ":sid": 20260019
      ":email": jpark@example.edu
    - ":name": "Måns \\"M\\" Lindqvist"
      ":sid": '20260021'
      ":email": mlind@example.edu
  ":created_at": '2026-09-14 22:15:00.5 -04:00'
"""

CANVAS = [
    ("oduyaamara_48213_9100417_block.py", CODE),
    ("oduyaamara_48213_9100418_notes.md", b"# notes\n"),
    ("brennan_LATE_48220_9100533_block-1.py", CODE),
    ("lindqvistmåns_48231_9100610_lab two.zip", zipped([("lab two/block.py", CODE), ("__MACOSX/._block.py", b"\0")])),
    ("anon_5fRk2_9100700_block.py", CODE),
    ("LATE_anon_Zq81a_9100701_block.py", CODE),
    ("parkjisoo_48250_text.html", b"<p>see my repository</p>"),
    ("silvarocha_48251_link.html", b"<a>x</a>"),
    ("हिन्दीनाम_48260_9100800_12_34_block.py", CODE),
]
MOODLE_FOLDERS = [
    ("Amara Oduya_771204_assignsubmission_file/block.py", CODE),
    ("Amara Oduya_771204_assignsubmission_onlinetext/onlinetext.html", b"<p>done</p>"),
    ("Jean-Luc O'Brien_771219_assignsubmission_file/src/block.py", CODE),
    ("Jean-Luc O'Brien_771219_assignsubmission_file/.ipynb_checkpoints/block-checkpoint.py", CODE),
    ("Participant_771230_assignsubmission_file/block.py", CODE),
    ("mlind_Måns Lindqvist_771205_assignsubmission_file_/block.py", CODE),
    ("Default group_assignsubmission_file/block.py", CODE),
]
MOODLE_FLAT = [
    ("Amara Oduya_771204_assignsubmission_file_my_block.py", CODE),
    ("Amara Oduya_771204_assignsubmission_onlinetext_onlinetext.html", b"<p>x</p>"),
    ("Ji-soo Park_771207_assignsubmission_file_block.py", CODE),
]
BRIGHTSPACE = [
    ("index.html", b"<html></html>"),
    ("Lab 2/39786-640693 - Amara Oduya - Sep 14, 2026 1022 PM/block.py", CODE),
    ("Lab 2/39786-640693 - Amara Oduya - Sep 15, 2026 830 AM/block.py", CODE),
    ("Lab 2/39787-640694 - Jean-Luc O'Brien - Sep 14, 2026 1130 PM/block.py", CODE),
]
BRIGHTSPACE_FLAT = [
    ("39786-640693 - Amara Oduya - Sep 14, 2026 122 PM - my - block.py", CODE),
    ("39787-640693 - Jean-Luc O'Brien - 14 September 2026 22:10 - block.py", CODE),
    ("N0123456 - 39788-640693 - Ji-soo Park - Sep 14, 2026 1130 PM - block.py", CODE),
]
GRADESCOPE_EXPORT = [
    ("assignment_512_export/submission_metadata.yml", GRADESCOPE.encode()),
    ("assignment_512_export/submission_88001/block.py", CODE),
    ("assignment_512_export/submission_88002/exercises/block.py", CODE),
]
GITHUB = [
    ("lab2-residual-submissions/lab2-residual-ada-l/exercises/block.py", CODE),
    ("lab2-residual-submissions/lab2-residual-ada-l/.git/config", b"[core]"),
    ("lab2-residual-submissions/Lab2-Residual-JSPark/exercises/block.py", CODE),
]
CLASSROOM50 = [
    ("cs7-lab2-residual-ada-l/.classroom50.yaml", b'classroom: "cs7"\nassignment: "lab2-residual"\n'),
    ("cs7-lab2-residual-ada-l/exercises/block.py", CODE),
    ("cs7-lab2-residual-group-3/exercises/block.py", CODE),
]
NBGRADER = [
    ("submitted/aoduya/lab2/block.py", CODE),
    ("submitted/aoduya/lab2/timestamp.txt", ZONE),
    ("submitted/jpark/lab2/block.py", CODE),
    ("submitted/jpark/lab2/timestamp.txt", b"2026-09-15 00:20:00 UTC\n"),
    ("release/lab2/block.py", CODE),
    ("source/lab2/block.py", CODE),
    ("autograded/aoduya/lab2/block.py", CODE),
    ("autograded/jpark/lab2/block.py", CODE),
    ("gradebook.db", b"\0"),
]
PLAIN = [
    ("oduya_amara/block.py", CODE),
    ("park-jisoo.zip", zipped([("block.py", CODE)])),
    ("lindqvist.py", CODE),
    ("read me.txt", b"x"),
]
NASTY = [
    ("müller_LATE_48290_9100900_block.py".encode(), CODE, 0, 0o100644),
    (unicodedata.normalize("NFD", "gómezrené_48291_9100901_block.py").encode(), CODE, 0, 0o100644),
    ("grünfeld_48292_9100902_block.py".encode("cp437"), CODE, 0, 0),
    ("田中_48293_9100903_block.py".encode(), CODE, 0x800, 0o100644),
    (b"../../evil_48294_9100904_block.py", CODE, 0, 0o100644),
    (b"C:\\temp\\evil_48295_9100905_block.py", CODE, 0, 0),
    (b"/abs_48280_9100905_block.py", CODE, 0, 0),
    (b"link_48296_9100906_block.py", b"/etc/passwd", 0, 0o120777),
    (b"pipe_48281_9100906_block.py", b"", 0, 0o010777),
    (b"locked_48282_9100906_block.py", CODE, 1, 0o100644),
    (b"dup_48297_9100907_block.py", CODE, 0, 0o100644),
    (b"dup_48297_9100907_block.py", b"# second\n", 0, 0o100644),
    (b"__MACOSX/._dup_48297_9100907_block.py", b"\0", 0, 0o100644),
    (b".DS_Store", b"\0", 0, 0o100644),
    (b"aux_48298_9100908_what?.py", CODE, 0, 0o100644),
]
