#!/bin/sh
# daolite: what 2.6e9 is in its YAML depends on what was loaded before.
#
# Expected: a system configuration gives the same values each time that it is loaded.
# Seen: PyYAML's float needs a point and a sign with an exponent, so that core_frequency: 2.6e9 is
# the text "2.6e9" and SystemConfig.from_yaml raises a TypeError when it multiplies it. Once any
# hardware file has been loaded, the same call succeeds: create_compute_resources_from_yaml adds a
# pattern of its own to yaml.SafeLoader itself, for the whole process.
#
# daolite main 7f39ed1 (0.1.1), PyYAML 6.0. Needs git and a python3 with numpy, PyYAML, regex and
# matplotlib (Debian: python3-numpy python3-yaml python3-regex python3-matplotlib); PYTHON names
# another one.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone -q https://github.com/davetbarr/daolite "$directory/daolite"
git -C "$directory/daolite" checkout -q 7f39ed1
cat >"$directory/system.yaml" <<'END'
camera: {n_pixels: 57600, n_subapertures: 1240, pixels_per_subaperture: 36}
optics: {n_actuators: 1377}
compute: {cores: 16, core_frequency: 2.6e9, flops_per_cycle: 32}
END
MPLBACKEND=Agg PYTHONPATH=$directory/daolite "${PYTHON:-python3}" - "$directory/system.yaml" \
    >"$directory/seen" <<'END'
import sys
from daolite.compute.hardware import amd_epyc_7763
from daolite.config import SystemConfig
def load():
    try:
        return f"{SystemConfig.from_yaml(sys.argv[1]).compute.flops / 1e12:.4f} TFLOP/s"
    except Exception as error:
        return type(error).__name__
print("before:", load())
amd_epyc_7763()
print("after: ", load())
END
cat "$directory/seen"
diff "$directory/seen" /dev/fd/3 3<<'END' && echo "as found: the same file fails, then loads"
before: TypeError
after:  1.3312 TFLOP/s
END
