#!/bin/sh
# P3: FieldOfView of a sensor is documented and used as pixels per subaperture; its own parameter files state
# the pixels of the whole detector.
#
# Expected: [sensor_HO] FieldOfView of a Shack-Hartmann sensor is the "number of pixels per subaperture", as
# TIPTOP's docs/source/parameterFile.rst says (21ceca6) and sensor.NoiseVariance uses it: 2 to 10.
# Seen: six files state 240 to 592 with 20 to 74 lenslets a side, 6 to 12 pixels each, another one 3200 with 20.
# MAVIS has 240 in one file and 6 in another. With the plain centre of gravity ("cog") the variance of read
# noise goes as the fourth power of the number: 240 in place of 6 makes it 2.56 million times as large. "wcog"
# and "tcog" do not use it, so that nothing shows there.
#
# For users of aolag: a sensor with 240 pixels per subaperture would have a detector of 92 megapixels. `aolag
# import` takes what is more than a subaperture has for the pixels across the detector, and says so.
#
# astro-tiptop/P3 main 0ab77e9. Needs git and a python3 with numpy and scipy (Debian: python3-numpy
# python3-scipy); PYTHON names another one.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone -q --no-checkout https://github.com/astro-tiptop/P3 "$directory/P3"
cd "$directory/P3"
git checkout -q 0ab77e9 -- p3/__init__.py 'p3/aoSystem/*.py' p3/aoSystem/parFiles tests/MAVIStest.ini
P3_DISABLE_GPU=TRUE PYTHONPATH=. "${PYTHON:-python3}" - >"$directory/seen" 2>"$directory/errors" <<'END' || { cat "$directory/errors"; exit 1; }
import ast, configparser, glob, os
from p3.aoSystem.sensor import sensor

for path in sorted(glob.glob("p3/aoSystem/parFiles/*.ini") + ["tests/MAVIStest.ini"]):
    file = configparser.ConfigParser()
    file.optionxform = str
    file.read(path)
    section = file["sensor_HO"]
    kind = section.get("WfsType", "'Shack-Hartmann'")
    lenslets = ast.literal_eval(section["NumberLenslets"].strip())[0]
    field = int(section["FieldOfView"])
    if kind.strip("'\" ").lower() == "shack-hartmann" and field >= 6 * lenslets:
        print(f"{os.path.basename(path)}: FieldOfView {field}, {lenslets} lenslets: {field / lenslets:g} pixels each")
    if os.path.basename(path) == "MAVIStest.ini":
        print(f"MAVIStest.ini: FieldOfView {field}, {lenslets} lenslets")

def noise(field, algorithm):
    made = sensor(833, field, nph=[100.0], ron=1.0, wfstype="Shack-Hartmann", nL=[40], dsub=[0.2],
                  algorithm=algorithm)
    without = sensor(833, field, nph=[100.0], ron=0.0, wfstype="Shack-Hartmann", nL=[40], dsub=[0.2],
                     algorithm=algorithm)
    return (made.NoiseVariance(0.15, 589e-9) - without.NoiseVariance(0.15, 589e-9))[0]

for algorithm in ["cog", "wcog", "tcog"]:
    print(f"{algorithm}: read noise of 240 over that of 6: {noise(240, algorithm) / noise(6, algorithm):.4g}")
END
grep -v -e ^env -e ^WARNING "$directory/seen" >"$directory/said"
cat "$directory/said"
diff "$directory/said" /dev/fd/3 3<<'END' && echo "as found: seven files state pixels of the whole detector"
HarmoniLTAO.ini: FieldOfView 592, 74 lenslets: 8 pixels each
KECKII_NIRC2_20130801_12_00_19.254.ini: FieldOfView 3200, 20 lenslets: 160 pixels each
MavisMCAO.ini: FieldOfView 240, 40 lenslets: 6 pixels each
MosaicGLAO.ini: FieldOfView 512, 64 lenslets: 8 pixels each
eris.ini: FieldOfView 240, 40 lenslets: 6 pixels each
irdis.ini: FieldOfView 320, 40 lenslets: 8 pixels each
template.ini: FieldOfView 240, 20 lenslets: 12 pixels each
MAVIStest.ini: FieldOfView 6, 40 lenslets
cog: read noise of 240 over that of 6: 2.56e+06
wcog: read noise of 240 over that of 6: 1
tcog: read noise of 240 over that of 6: 1
END
