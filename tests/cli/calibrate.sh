# aolag calibrate: from a measurement to a design that all commands predict with.
. "$srcdir/tests/cli/lib.sh"

good "one measurement" calibrate micado-scao --measured 'latency=320us+-2%' -o new.ini
has "latency    320 µs  2.00 %  360 µs" "measured and computed before"
has "RTC latency       360 µs (326 to 409)" "the range before"
has "Calibrated        321 µs (314 to 329)" "and after"
is "$(grep -c '^\[calibration\]' new.ini)" 1 "a section of the design"
good "used from then on" eval new.ini --json
holds '.latency_us < 325 and .latency_us > 318 and .calibration == "used"' "the latency that was measured"
holds '.latency_high_us < 1.04 * .latency_us and .latency_high_us >= 1.02 * .latency_us' \
    "no narrower than measurements are apart"
holds '[.range.groups[] | select(.calibrated)] | length >= 3' "groups are marked"
good "explained" explain component.recon.boundary -f new.ini
has "component.recon.boundary = 1.04 µs = device.gpu0.boundary * device.gpu0.dispatch_factor" \
    "a time with its factor"
has "  device.gpu0.boundary = 1.20 µs (assumed)" "as the device has it"
has "  device.gpu0.dispatch_factor = 0.869: calibrated factor of the times of its dispatch" "from the calibration"
good "and without" explain component.recon.boundary -f micado-scao
has "component.recon.boundary = 1.20 µs = device.gpu0.boundary" "the device alone"
good "advice" advise new.ini --json
holds '.measure[0].latency_high_us <= .latency_high_us * 1.001' "what to measure next"
good "compared" compare micado-scao new.ini --json
holds '[.. | .path? | select(. == "calibration.factors")] | length == 1' "as a difference"

good "a second one on top" calibrate new.ini --measured component.recon.busy=235us -o two.ini --json
holds '.measured[0].result == "component.recon.busy" and .after.latency_us < 330' "from what was known"
is "$(grep -c 'measured = latency=320us+-2%, component.recon.busy=235us+-5%' two.ini)" 1 "both are listed"
bad 1 "new.ini exists; --force replaces it" "a file that exists" calibrate micado-scao --measured latency=330us -o new.ini
good "to another design" calibrate micado-scao --from new.ini --json
holds '.after.latency_us < .before.latency_us and (.measured | length) == 0' "of the same devices"

{
    sed '/^\[component.slopes\]/,$d' "$srcdir/presets/ao/micado-scao.ini"
    printf '[component.denoise]\ntype = calibration\ndevice = l40\n'
    sed -n '/^\[component.slopes\]/,$p' "$srcdir/presets/ao/micado-scao.ini"
    for part in l40 a40 h100-sxm v100-sxm2; do
        printf '[device.%s]\npreset = nvidia-%s\nhost = rtc\n' $part $part
    done
} >five.ini
good "five models of GPUs" calibrate five.ini --set component.calibration.device=a40 \
    --set component.slopes.device=h100-sxm --set component.control.device=v100-sxm2 --measured latency=440us+-1%
has "Not stated: 1 further factor, of which less is known; a design has 12 at most." "more factors than a design has"

cat >run.json <<'END'
{"schema": 1, "measured": [
  {"result": "latency", "p50_us": 340, "p90_us": 350},
  {"result": "component.recon.busy", "p50_us": 240.5, "p90_us": 244},
  {"result": "component.slopes.busy", "p50_us": null}]}
END
good "a run" calibrate micado-scao --run run.json --json
holds '[.measured[].measured_us | round] == [340, 240] or [.measured[].measured_us | round] == [340, 241]' "its medians"
holds '[.measured[].spread_percent] == [5, 5]' "the assumed deviation, where frames are less apart"
sed 's/"p90_us": 244/"p90_us": 300.6/' run.json >far.json
good "a run of frames that differ" calibrate micado-scao --run far.json --json
holds '[.measured[].spread_percent * 10 | round] == [50, 190]' "exp(ln(1.25) / 1.2816) - 1"
sed 's/"p50_us": 340/"p50_us": 341/' run.json >again.json
good "two runs" calibrate micado-scao --run run.json --run again.json --json
holds '[.measured[].spread_percent] == [1, 1]' "the deviation of their medians, at least 1 %"
sed 's/"p90_us": 350/"p90_us": 700/; s/"schema": 1/"frames": 200, "late": 6, "conditions": ["the rate was not kept", "it was cut"]/' \
    run.json >noisy.json
run calibrate micado-scao --run noisy.json --json
is "$status $(grep -c '' "$err")" "0 2" "a noisy run"
is "$(grep -c 'noisy.json: the run was not as the design says: 6 of 200 frames were late; the rate was not kept; it was cut$' "$err")" 1 \
    "what was not as the design says"
is "$(grep -c 'noisy.json: its latencies are 76 % apart, and so wide is the range; run it again with less other work' "$err")" 1 \
    "and what to do"
holds '.after | .latency_high_us >= 1.7 * .latency_us' "the range"
sed 's/"p50_us": 340/"p50_us": 350/' noisy.json >noisy2.json
run calibrate micado-scao --run noisy.json --run noisy2.json --json
holds '.measured[0].spread_percent > 70' "of two"
cat >run.json <<'END'
{"schema": 1, "overhead_us": 0.0125, "measured": [
  {"result": "latency", "p50_us": 340, "p90_us": 350},
  {"result": "component.recon.busy", "p50_us": 100, "p90_us": 101},
  {"result": "component.slopes.busy", "p50_us": 25, "p90_us": 26},
  {"result": "component.control.busy", "p50_us": 9, "p90_us": 9}]}
END
good "a run with short times" calibrate micado-scao --run run.json -o short.ini --json
holds '[.measured[] | [.result, .spread_percent, .left_out]] == [["latency", 5, false],
    ["component.recon.busy", 10, true], ["component.slopes.busy", 40, false]]' \
    "whose own time counts, and which the model does not explain"
is "$(grep -c 'measured = latency=340us+-5%, component.slopes.busy=25us+-40%$' short.ini)" 1 "what was left out is not stated"
good "as text" calibrate micado-scao --run run.json
has "Left out: component.recon.busy, which the model does not explain." "which is named"
echo '{"measured": [{"result": "component.recon.busy", "p50_us": 0.001}]}' >run.json
bad 1 "the model explains none of the measurements" "a run that says nothing" calibrate micado-scao --run run.json
echo '{"machine": "Fast CPU, measured", "measured": [{"result": "latency", "p50_us": 340}]}' >run.json
bad 1 "run.json: it ran on another computer than the design's, Fast CPU, measured; " "a run of other hardware" \
    calibrate micado-scao --run run.json
echo '{"measured": [{"result": "latency", "p50_us": 340, "predicted_us": 180}]}' >run.json
bad 1 "run.json: its design had a latency of 180 us, this one has 360 us; " "a run of another design" \
    calibrate micado-scao --run run.json
echo '{"measured": [{"result": "latency", "p50_us": -1}]}' >run.json
bad 1 "run.json:1: a measurement has a result and its p50_us, above 0" "a bad run" calibrate micado-scao --run run.json
echo '{}' >run.json
bad 1 'run.json: no "measured", which aolag run --json prints' "no run" calibrate micado-scao --run run.json

cat >canary.json <<'END'
{"measured": [{"result": "latency", "p50_us": 34.1, "p90_us": 95},
  {"result": "component.calibration-lgs.busy", "p50_us": 14.4, "p90_us": 17},
  {"result": "component.slopes-lgs.busy", "p50_us": 20.7, "p90_us": 24},
  {"result": "component.recon.busy", "p50_us": 13.2, "p90_us": 16}]}
END
run calibrate canary --run canary.json --json
is "$status" 0 "a latency with a large spread"
holds '.measured[0] | .held and (.measured_us / .after_us | log | fabs) <= (.measured_us / .before_us | log | fabs)' \
    "is no further from the factors than before"
run calibrate canary --run canary.json
has "latency counts more than its spread says: the other measurements would move" "which is said"

bad 1 "latency: 30.0 us measured, 360 us computed" "what the model does not explain" \
    calibrate micado-scao --measured latency=30us -o none.ini
is "$(ls none.ini 2>/dev/null)" "" "no file"
bad 2 "is no measurement; allowed: PATH=VALUE" "no value" calibrate micado-scao --measured latency
bad 2 "unit" "another dimension" calibrate micado-scao --measured latency=3GB
bad 2 "nothing is measured" "nothing" calibrate micado-scao
bad 1 "the design has no calibration" "nothing to remove" calibrate micado-scao --remove -o none.ini

good "stale" eval new.ini --json --set device.gpu0.preset=nvidia-h100-sxm
holds '.calibration == "stale" and (.notes[] | startswith("calibration: factors are stale and not used: device.gpu0 is"))' "is said"
bad 1 "the calibration is stale" "no base for another" calibrate new.ini --set device.gpu0.preset=nvidia-h100-sxm \
    --measured latency=300us
bad 1 "new.ini: its calibration is stale here: device.gpu0 is another part than the one calibrated" "of another design" \
    calibrate micado-scao --set device.gpu0.preset=nvidia-h100-sxm --from new.ini
good "changed" eval new.ini --json --set device.gpu0.memory_clock=1500MHz
holds '.calibration == "changed" and .notes == ["calibration: figures of device.gpu0 have changed since; its factors are used"]' "is said"
sed 's/^factors = .*/factors = rtc:memory:9:1.1/' new.ini >bad.ini
bad 1 'bad.ini:' "a factor of no hardware" eval bad.ini
run calibrate new.ini --remove -o old.ini
is "$status: $(cat "$err")" "0: " "removed"
is "$(grep -c "^\[calibration\]" old.ini)" 0 "with its section"
is "$("$AOLAG" eval old.ini --json)" "$("$AOLAG" eval micado-scao --json)" "as it was"

finish
