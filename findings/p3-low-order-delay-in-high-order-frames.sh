#!/bin/sh
# P3: the delay of the low-order loop is printed in milliseconds of the high-order loop's frames.
#
# Guessed: where a file has 3 frames of delay at 500 Hz for the low-order loop, a summary of the system (print of
# an aoSystem, or of its rtc) says 6 ms.
# Seen: it says 3.00 frames and 3.00 ms, at 500 Hz in the same line: the frames are divided by the rate of the
# high-order loop, 1000 Hz. So for P3's own files of ERIS and MAVIS; where both loops have the same rate, it is
# right. The bandwidth beside it is that of the loop's own rate.
#
# For users of aolag: LoopDelaySteps_LO counts frames of the low-order sensor, as aolag export writes it, with
# its delay in microseconds as a comment.
#
# astro-tiptop/P3 main 0ab77e9. Needs git and a python3 with numpy, scipy, astropy and matplotlib (Debian:
# python3-numpy python3-scipy python3-astropy python3-matplotlib); PYTHON names another one.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone -q --no-checkout https://github.com/astro-tiptop/P3 "$directory/P3"
cd "$directory/P3"
git checkout -q 0ab77e9 -- p3/__init__.py 'p3/aoSystem/*.py' p3/aoSystem/parFiles
P3_DISABLE_GPU=TRUE PYTHONPATH=. "${PYTHON:-python3}" - >"$directory/seen" 2>"$directory/errors" <<'END' || { cat "$directory/errors"; exit 1; }
from p3.aoSystem.aoSystem import aoSystem

for name in ["eris", "MavisMCAO", "HarmoniLTAO"]:
    # without pictures of the pupil, which are large
    lines = [line for line in open(f"p3/aoSystem/parFiles/{name}.ini") if not line.startswith("Path")]
    open("stated.ini", "w").writelines(lines)
    rtc = aoSystem("stated.ini", path_root=".").rtc
    low = repr(rtc).splitlines()[-3].split("\t")
    print(f"{name}: {low[2].strip()}, {low[3].strip()}, {low[4].strip()}", f"(of {rtc.holoop['rate']:g} Hz)")
END
grep -E '^(eris|Mavis|Harmoni)' "$directory/seen" >"$directory/said"
cat "$directory/said"
diff "$directory/said" /dev/fd/3 3<<'END' && echo "as found: 3 ms for 3 frames at 500 Hz"
eris: Rate : 500.00 Hz, Delay : 3.00 frames, Delay : 3.00 ms (of 1000 Hz)
MavisMCAO: Rate : 500.00 Hz, Delay : 3.00 frames, Delay : 3.00 ms (of 1000 Hz)
HarmoniLTAO: Rate : 500.00 Hz, Delay : 2.00 frames, Delay : 4.00 ms (of 500 Hz)
END
