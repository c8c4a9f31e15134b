#!/bin/sh
# P3: the Fried parameter is r0_Value in the documentation, and r0_value in the code, which knows no other case.
#
# Expected: [atmosphere] r0_Value, "used directly if Seeing is not provided", as the table of TIPTOP's
# docs/source/parameterFile.rst has it (21ceca6); its text beside says r0_value. Keys of INI files usually do
# not depend on case.
# Seen: P3 keeps the case of keys (optionxform = str) and looks for r0_value only. A file with r0_Value and no
# Seeing is refused: 'Seeing' is missing. With both, r0_Value counts for nothing and nothing is said.
#
# For users of aolag: `aolag import` takes both spellings.
#
# astro-tiptop/P3 main 0ab77e9. Needs git and a python3 with numpy, scipy, astropy and matplotlib (Debian:
# python3-numpy python3-scipy python3-astropy python3-matplotlib); PYTHON names another one.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone -q --no-checkout https://github.com/astro-tiptop/P3 "$directory/P3"
cd "$directory/P3"
git checkout -q 0ab77e9 -- p3/__init__.py 'p3/aoSystem/*.py' p3/aoSystem/parFiles/irdis.ini
P3_DISABLE_GPU=TRUE PYTHONPATH=. "${PYTHON:-python3}" - >"$directory/seen" 2>"$directory/errors" <<'END' || { cat "$directory/errors"; exit 1; }
from p3.aoSystem.aoSystem import aoSystem

lines = open("p3/aoSystem/parFiles/irdis.ini").read().splitlines()
# without pictures of the pupil, which are large
rest = [line for line in lines if not line.startswith(("Path", "Seeing", "r0"))]
for stated in ["Seeing = 0.8", "r0_value = 0.15", "r0_Value = 0.15", "Seeing = 0.8\nr0_Value = 0.15"]:
    with open("stated.ini", "w") as file:
        for line in rest:
            print(line, stated, sep="\n", file=file) if line == "[atmosphere]" else print(line, file=file)
    name = " and ".join(line.split(" ")[0] for line in stated.splitlines())
    try:
        print(f"{name}: r0 {aoSystem('stated.ini', path_root='.').atm.r0:.4f} m")
    except ValueError as error:
        print(f"{name}: {error}")
END
grep ^[Sr] "$directory/seen" >"$directory/said"
cat "$directory/said"
diff "$directory/said" /dev/fd/3 3<<'END' && echo "as found: r0_Value is not read"
Seeing: r0 0.1154 m
r0_value: r0 0.1376 m
r0_Value: 'Seeing' is missing from section 'atmosphere'
Seeing and r0_Value: r0 0.1154 m
END
