#!/bin/sh
# daolite: the factories of its four newest GPUs return a CPU of 16 cores.
#
# Expected: daolite.compute.hardware.nvidia_h100_80gb() has the figures of an H100, as those of older
# GPUs do, or raises an error.
# Seen: the hardware files of A100, H100, MI300X and RTX 4090 have the keys of a CPU and
# `hardware: GPU`, for which the loader needs `flops` or `fp32_tflops`. The factory catches its
# error, prints a line and returns its default: hardware CPU, 1.33 TFLOP/s, 102 GB/s. An H100
# computes at less than a third of a GTX 980, whose file is complete.
#
# daolite main 7f39ed1 (0.1.1). Needs git and a python3 with numpy, PyYAML, regex and matplotlib
# (Debian: python3-numpy python3-yaml python3-regex python3-matplotlib); PYTHON names another one.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
git clone -q https://github.com/davetbarr/daolite "$directory/daolite"
git -C "$directory/daolite" checkout -q 7f39ed1
MPLBACKEND=Agg PYTHONPATH=$directory/daolite "${PYTHON:-python3}" - >"$directory/seen" <<'END'
from daolite.compute import hardware
for name in ["nvidia_gtx_980", "nvidia_a100_80gb", "nvidia_h100_80gb", "amd_mi300x", "nvidia_rtx_4090"]:
    found = getattr(hardware, name)()
    print(f"{name}: {found.hardware} {found.flops / 1e12:.2f} TFLOP/s {found.memory_bandwidth / 8e9:.0f} GB/s")
END
cat "$directory/seen"
grep -v ^Error "$directory/seen" | diff - /dev/fd/3 3<<'END' && echo "as found: four GPUs are a CPU of 16 cores"
nvidia_gtx_980: GPU 4.60 TFLOP/s 224 GB/s
nvidia_a100_80gb: CPU 1.33 TFLOP/s 102 GB/s
nvidia_h100_80gb: CPU 1.33 TFLOP/s 102 GB/s
amd_mi300x: CPU 1.33 TFLOP/s 102 GB/s
nvidia_rtx_4090: CPU 1.33 TFLOP/s 102 GB/s
END
