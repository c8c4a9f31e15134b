# aolag loop: the control loop of a design, and designs whose loop cannot be described.
. "$srcdir/tests/cli/lib.sh"

good "a faint noise" loop micado-scao
has "Slope noise       0.0845 rms by photons, 0.00214 by reading" "has no exponent"
good "a loop" loop elt-scao
has "Loop of " "its title"
has "phase margin of 45 deg; maximum " "the gain and its maximum"
has "16 to 18 % below" "the known bias"
has "Noise of the sensor is not included: wfs.ngs has no star," "what is left out"
lacks "Servo lag" "no second figure of the lag"
fits "they fit"
good "as Markdown" loop elt-scao --set ao.diameter=39 --markdown
has "| lag " "its terms"

good "SAXO with a vibration" loop saxo --set wfs.ngs.photons=auto --set "ao.vibrations=48 Hz:0.01:20 nm" --json
holds '.stable and .orders == 51 and .controller == "integrator" and .leak == 1 and
    .gain_source == "phase margin" and (.phase_margin_deg - 45 | fabs) < 1e-6' "its gain"
holds '.gain * .gain_margin / .max_gain - 1 | fabs < 1e-12' "its gain margin"
holds '[.terms[].term] ==
    ["fitting", "aliasing", "lag", "noise", "vibration 48.0 Hz", "total"] and .terms[4].before_nm == 20 and
    .terms[3].after_nm == null' "its terms"
holds '([.terms[:-1][] | (.after_nm // 0) | . * .] | add) / (.terms[-1].after_nm | . * .) - 1 | fabs < 1e-9' "its total"
holds '(.servo_lag_nm / .terms[2].after_nm - 1 - .servo_lag_deviation) | fabs < 1e-9' "its deviation"
is "$(jq .max_gain "$out")" "$("$AOLAG" eval saxo --json | jq .loop.max_gain)" "the maximum of eval"
good "as CSV" loop saxo --csv --set ao.diameter=0
is "$(sed -n '1p;4p' "$out")" "term,before_nm,after_nm
lag,," "a row for each term"

# The check budget: SAXO with a star, as above but for its delay.
star="--set ao.diameter=8 --set atmosphere.r0=15 --set atmosphere.zenith=0 --set scenario.frame_rate=1200 --set wfs.ngs.band=R --set wfs.ngs.wavelength=700
    --set wfs.ngs.magnitude=8 --set wfs.ngs.throughput=0.2 --set wfs.ngs.excess=2 --set wfs.ngs.pixel_scale=2 --set atmosphere.outer_scale=0"
good "a star" loop saxo $star --set wfs.ngs.read_noise=auto
has "wfs.ngs.read_noise is not stated: none is counted." "a sentence"
has "optimum; maximum" "the gain is the optimum"
good "a star with read noise" loop saxo $star --set wfs.ngs.read_noise=0.1 --json
holds '(.photons - 45.72 | fabs) < 0.01 and (.slope_noise_nm - 83.625 | fabs) < 0.01 and .gain_source == "optimum" and
    .gain == .optimum_gain and (.terms[3].after_nm > 30) and .nm_per_100us > 0 and .shorter_nm < 0 and
    .fixed_nm_per_100us >= .nm_per_100us and (.order_gains | length) == .orders and
    .order_total_nm < .optimum_total_nm and .one_percent_us > .delay_us' "its noise, gain and price of a delay"
good "gains per order" loop saxo $star --set ao.gains=per-order
has "per order, the largest" "says so"
for missing in band throughput; do
    good "a star without its $missing" loop saxo $star --set wfs.ngs.$missing=auto
    has "Noise of the sensor is not included: state wfs.ngs.$missing, " "a sentence"
done
good "photons besides" loop saxo --set wfs.ngs.band=R --set wfs.ngs.magnitude=8
has "its photons do not count beside a magnitude" "a sentence"
good "photons without a wavelength" loop saxo --set wfs.ngs.wavelength=auto
has "state wfs.ngs.wavelength, or its band" "a sentence"
good "a star without a diameter" loop saxo $star --set ao.diameter=0
has "Noise of the sensor is not included: state ao.diameter" "a sentence"
good "segments with wide pitch" loop saxo $star --set component.dm-hodm.surface=pistons --set component.dm-hodm.pitch=25cm --json
holds '.pitch_cm == 25 and .terms[0].after_nm > 100' "have a larger fitting error"

good "a leaky integrator" loop saxo --set ao.diameter=8 --set ao.controller=leaky
has "leaky, leak 0.99" "its leak"
has "frozen flow of the same outer scale has after a delay: lag is 7 to 12 % below" "the bias with an outer scale"
has "What the leak leaves of slow turbulence is not." "and with a leak"
good "an infinite outer scale" loop saxo --set atmosphere.outer_scale=0 --json
holds '.notes | any(test("0.67 to 0.72 .* lag is 16 to 18 % below that of frozen flow.$"))' "the bias without"

good "a PID" loop saxo --set wfs.ngs.photons=auto --set ao.diameter=8 --set ao.controller=pid --set ao.proportional=2 --set ao.derivative=1 --json
holds '.controller == "pid" and .proportional == 2 and .derivative == 1 and .gain_source == "gain margin" and
    (.gain_margin - 2 | fabs) < 1e-9 and .max_gain < 0.32' "its gains"
good "is not computed" loop saxo --set ao.diameter=8 --set ao.controller=pid
has "No component computes the controller pid, so that its time is not in the delay:" "says so"
good "LQG" loop saxo --set wfs.ngs.photons=auto --set ao.diameter=8 --set "ao.vibrations=48 Hz:0.01:20 nm" --set ao.controller=lqg
has "a filter of each radial order" "its law"
has "with filters of each delay" "another delay has others"
lacks "optimum gains" "and there are no gains"
has "The filters are designed for a measurement without noise" "without a star"
has "algorithm = lqg-modal in the control component takes it in." "what it takes"
fits "they fit"
good "LQG in the pipeline" loop saxo --set ao.diameter=8 --set "ao.vibrations=48 Hz:0.01:20 nm" \
    --set ao.controller=lqg --set component.control.algorithm=lqg-modal --json
holds '.gain == null and .max_gain == null and .gain_source == "filter" and .stable and .modulus_margin < 1 and
    ([.notes[] | select(test("No component"))] | length == 0)' "has no gain, and no sentence"
holds '[.controllers[] | .controller + " " + .algorithm] == ["integrator integrator", "leaky integrator", "pid pid",
    "integrator polc", "lqg-tip-tilt integrator", "lqg lqg-modal"] and
    ([.controllers[] | .present] == [false, false, false, false, false, true]) and ([.controllers[].counted] | all)' "beside the others"
holds '(.controllers[5].total_nm / .terms[-1].after_nm - 1 | fabs) < 1e-9 and .controllers[0].latency_change_us < 0 and
    .controllers[5].total_nm < .controllers[4].total_nm and .controllers[4].total_nm < .controllers[0].total_nm' "its benefit beside its cost"
for controller in integrator leaky pid lqg lqg-tip-tilt; do
    good "the row of $controller" loop saxo --set ao.controller=$controller
    has "$controller (present) " "is marked"
    fits "fits"
done
good "a controller that is not computed" loop saxo --set ao.controller=lqg --json
holds '[.controllers[] | select(.present)] == [.controllers[0]] and .controllers[0].algorithm == "integrator" and
    (.controllers[0].counted | not) and .controllers[6].counted and .controllers[6].latency_change_us > 0' "has a row of its own"
good "a PID beside others" loop saxo --set ao.diameter=8 --set "ao.vibrations=48 Hz:0.01:20 nm" --json
holds '.controllers[2] | .derivative > 0 and .change_nm < 0 and .latency_change_us > 0' "has the gains with the least total"
holds '[.controllers[] | (.proportional != null) == (.controller == "pid")] | all' "others have none of them"
pid=$(jq -r '.controllers[2] | "--set ao.proportional=\(.proportional) --set ao.derivative=\(.derivative) --set ao.gain=\(.gain)"' "$out")
total=$(jq '.controllers[2].total_nm' "$out")
good "with these gains" loop saxo --set ao.diameter=8 --set "ao.vibrations=48 Hz:0.01:20 nm" --set ao.controller=pid \
    --set component.control.algorithm=pid $pid --json
holds "(.terms[-1].after_nm / $total - 1 | fabs) < 1e-9" "leaves this total"
good "a leak" loop saxo --set ao.leak=0.9
has "Leaky: leak 0.9." "is stated"
has "closes the loop as the integrator does" "and why a POLC gains nothing"
good "LQG for tip and tilt" loop saxo $star --set "ao.vibrations=48 Hz:0.01:20 nm" --set ao.controller=lqg-tip-tilt
has "lqg-tip-tilt, filters of tip and tilt" "its law"
has "lqg-tip-tilt (present) " "its row"
has "with optimum gains and filters" "another delay has other filters, too"
lacks "No component computes" "an integrator computes it"
has "No algorithm has the two filters of tip and tilt" "but for the filters"
good "as JSON" loop saxo $star --set "ao.vibrations=48 Hz:0.01:20 nm" --set ao.controller=lqg-tip-tilt --set ao.gains=per-order --json
holds '.order_gains[0] == null and .order_gains[1] > 0.1' "no gain of the first order"
holds '.gain_source == "optimum" and .gain < .max_gain and .terms[4].after_nm < 10' "a gain of the others"
good "LQG for tip and tilt with a POLC" loop saxo $star --set ao.controller=lqg-tip-tilt --set component.control.algorithm=polc
has "lqg-tip-tilt (present) polc " "the row of the design"
run sweep ao.gain=0.2,0.4,1.2 saxo --csv \
    --results loop.gain_margin,loop.phase_margin,loop.modulus_margin,loop.delay_margin
is "$(sed -n 3p "$out" | cut -d, -f2-5)" "$("$AOLAG" loop saxo --set ao.gain=0.4 --json |
    jq -r '[.gain_margin, .phase_margin_deg, .modulus_margin, .delay_margin_us] | @csv')" "are those of the report"
is "$(sed -n 4p "$out" | cut -d, -f2-5)" ",,," "none of an unstable loop"
good "a gain for a phase margin" seek ao.gain saxo --until 'loop.phase_margin>=45deg'
has "to 0.4867" "is that of eval"
good "a search by margins" search --over device.rtc.clock=100MHz,200MHz saxo --where 'loop.delay_margin>=100us' \
    --objective loop.modulus_margin,load --json
holds '.front | length == 1' "finds the faster one"
good "crossover, peak and stability" sweep ao.gain=0.2,1.2 saxo --csv --results loop.gain_crossover,loop.peak,loop.stable
is "$(sed -n 2p "$out" | awk -F, '{ printf "%.6f,%.6f,%s", $2, 20 * log($3) / log(10), $4 }')" \
    "$("$AOLAG" loop saxo --set ao.gain=0.2 --json | jq '.gain_crossover_hz, .peak_db' |
        awk '{ printf "%.6f,", $1 } END { printf "1" }')" "are those of the gain in force"
is "$(sed -n 3p "$out" | cut -d, -f2-4)" ",,0" "an unstable loop has the last only"
run sweep ao.gain=0.2,1.2,1.3 saxo --csv --results loop.total,loop.gain_margin
is "$status $(cat "$err")" "0 aolag: note: the loop is unstable in 2 designs: there is no lag, noise, wavefront error or margin; the result loop.stable is 0 there" \
    "empty cells of unstable loops have a note"
run sweep ao.gain=0.2,1.2 saxo --csv --results latency
is "$status $(cat "$err")" "0 aolag: note: no value of ao.gain changes these results; limited by recon: compute of rtc" \
    "without results of the loop"
good "a stable gain" seek ao.gain saxo --until "loop.stable>=1"
has "to 0.9857" "up to the maximum"
good "explain a margin" explain loop.gain_margin saxo --depth 1
has "ao.gain = auto" "its inputs"
for controller in integrator lqg lqg-tip-tilt; do
    good "margins of $controller" eval saxo --set ao.controller=$controller --json
    is "$(jq -c '.loop | [.gain_margin, .phase_margin_deg, .modulus_margin, .delay_margin_us, .zero_db_hz, .noise_gain]' "$out")" \
        "$("$AOLAG" loop saxo --set ao.controller=$controller --json |
            jq -c '[.gain_margin, .phase_margin_deg, .modulus_margin, .delay_margin_us, .zero_db_hz, .noise_gain]')" "are those of the report"
done
# A name means the same in all outputs.
good "names of the loop" eval saxo --json
"$AOLAG" loop saxo --json >loop.json
is "$(jq -c --slurpfile report loop.json '.loop | to_entries | map(select($report[0][.key] != null)) |
    [length > 12, (map(select($report[0][.key] != .value and ($report[0][.key] | type) == "number")) | map(.key))]' "$out")" "[true,[]]" \
    "have the values that the report of the loop has"
good "as results" sweep ao.gain=0.228 saxo --csv --results loop.strehl,loop.strehl_lag,loop.crossover,loop.gain_crossover
is "$(sed -n 1p "$out" | cut -d, -f2-5)" "loop.strehl,loop.strehl_lag,loop.crossover_hz,loop.gain_crossover_hz" "and in results"
good "LQG in results" eval saxo --set ao.controller=lqg --json
holds '.loop.gain == null' "no gain, as in the report"
good "a stated latency" loop saxo --set ao.rtc_latency=300us --json
holds '[.controllers[] | .delay_us - .latency_us] | (max - min | fabs) < 1e-6' "is that of the present controller only"
holds '(.controllers[0].delay_us - .delay_us | fabs) < 1e-6 and .controllers[0].change_nm == null and
    (.controllers[5].total_nm - .controllers[0].total_nm - .controllers[5].change_nm | fabs) < 1e-9' "with what each changes"
good "another RTC latency" loop saxo --set ao.rtc_latency=300us
has "as stated for the loop, " "says so"
good "an optimum with small margins" loop micado-scao
has "phase margin of 45 deg; maximum 1.31" "is not the automatic gain"
has "phase margin of 45 deg costs 0.91 nm" "says what that costs"
has "with gains for these margins" "another delay has them, too"
lacks "The margins are below" "needs no caution"
good "its gain stated" loop micado-scao --set ao.gain=0.977
has "The margins are below 6.02 dB or 45 deg, which automatic gains keep:" "a caution"
lacks " costs " "is not limited"
good "in JSON" loop micado-scao --json
holds '.gain_source == "phase margin" and .gain == .limit_gain and .gain < .optimum_gain and
    (.phase_margin_deg - 45 | fabs) < 1e-6 and .gain_margin > 2 and
    (.terms[-1].after_nm - .optimum_total_nm - .margin_cost_nm | fabs) < 1e-9' "its limit"
cost=$(jq .margin_cost_nm "$out")
good "other margins" loop micado-scao --set ao.phase_margin=0 --set ao.gain_margin=3 --json
holds '.gain_source == "gain margin" and (.gain_margin - 3 | fabs) < 1e-9 and .margin_cost_nm > '"$cost" "limit it more"
good "no margins" loop micado-scao --set ao.phase_margin=0 --set ao.gain_margin=1 --json
holds '.gain_source == "optimum" and .gain == .optimum_gain and .margin_cost_nm == 0' "leave the optimum"
good "the limit in eval" eval micado-scao
has "0.629, phase margin of 45 deg costs 0.91 nm;" "is the gain in force"
run sweep ao.phase_margin=30,45,60 micado-scao --set ao.gain_margin=1 --csv --results loop.gain,loop.margin_cost,loop.phase_margin
is "$(sed 1d "$out" | awk -F, '{ print ($2 < last || NR == 1), ($3 > cost || NR == 1), int($4 + 0.5); last = $2; cost = $3 }')" "1 1 30
1 1 45
1 1 60" "a sweep follows"
good "margins of filters" loop saxo --set ao.controller=lqg --set ao.phase_margin=80 --set ao.gain_margin=20
has "The margins are below 26 dB or 80 deg, which automatic gains keep:" "are not limited"
bad 2 "allowed: 0 to 80 deg" "a phase margin of a right angle" loop saxo --set ao.phase_margin=90
bad 2 "allowed: 1 to 40" "a gain margin below 1" loop saxo --set ao.gain_margin=0.5
good "a gain with margins" loop micado-scao --set ao.gain=0.4
lacks "The margins are below" "none"

good "other errors" loop saxo --set ao.other_errors=60nm --json
holds '(.terms[4].term == "other" and ([.terms[4] | .before_nm, .after_nm | . - 60 | fabs] | max) < 1e-9 and
    (.notes | any(test("Not included: telescope")) | not) and
    (([.terms[:-1][].after_nm | . * .] | add) / (.terms[-1].after_nm | . * .) - 1 | fabs) < 1e-9)' "are a term"
strehl=$(jq .strehl "$out")
good "in eval" eval saxo --set ao.other_errors=60nm --json
holds "(.loop.other_nm - 60 | fabs) < 1e-9 and .loop.strehl == $strehl" "too"
good "none" loop saxo
has "Not included: telescope, non-common path, calibration and other errors;" "a sentence"
good "a spatial filter" loop saxo --set wfs.ngs.spatial_filter=1 --json
aliasing=$(jq '.terms[1].after_nm' "$out")
good "of a hundredth" loop saxo --set wfs.ngs.spatial_filter=0.01 --json
holds "10 * .terms[1].after_nm / $aliasing - 1 | fabs < 1e-9" "leaves a tenth of the error"
bad 2 "allowed: 0 to 1" "a filter that adds aliasing" loop saxo --set wfs.ngs.spatial_filter=1.1
bad 2 "allowed: 0 to 10000 nm" "negative errors" loop saxo --set ao.other_errors=-1nm
good "the gain of another controller" eval saxo --set ao.controller=leaky
lacks "45 deg phase margin" "is not that of an integrator"
good "is null" eval saxo --set ao.controller=pid --json
holds '.loop.max_gain == null and .loop.gain_45 == null and .loop.crossover_hz == null' "in JSON"
bad 1 "LQG needs a disturbance to predict: state ao.diameter and atmosphere.wind, or ao.vibrations" \
    "LQG of nothing" loop saxo --set ao.diameter=0 --set ao.controller=lqg
good "a mirror with dynamics" loop saxo --set ao.diameter=8 --set component.dm-ttm.bandwidth=400 --json
holds '.mirror_bandwidth_hz == 400 and .mirror_damping == 0.7 and .max_gain < 0.98' "lowers the maximum gain"
is "$(jq .delay_us "$out")" "$("$AOLAG" loop saxo --json | jq .delay_us)" "and leaves the delay of the command"
holds '[.controllers[] | select(.present) | .delay_us] == [.delay_us]' "which the controllers have too"
frames=$("$AOLAG" eval saxo --set component.dm-ttm.bandwidth=400 --json | jq -r '.loop.delay_frames * 100 | round / 100')
good "whose lag is part of the delay" loop saxo --set component.dm-ttm.bandwidth=400
has "in total $frames frames," "the total delay is that of eval"
good "has a lag" eval saxo --set component.dm-ttm.bandwidth=400 --json
is "$(jq '.loop.tau_total_us * 10 | round' "$out")" \
    "$("$AOLAG" eval saxo --json | jq '(.loop.tau_total_us + 1e6 * 0.7 / (3.14159265 * 400)) * 10 | round')" "in the estimate"
good "a mirror with dynamics does not settle" loop saxo --set ao.diameter=8 --set component.dm-ttm.bandwidth=400 \
    --set component.dm-ttm.settle=300us --json
holds '.max_gain < 0.98' "besides"
bad 1 "component.dm-ttm.bandwidth is 0.0100 Hz; allowed in this loop: 0 or at least 0.138 Hz" "a mirror that hardly moves" \
    loop saxo --set component.dm-ttm.bandwidth=0.01

good "too much gain" loop saxo --set ao.diameter=8 --set ao.gain=1.2
has "1.20: unstable, maximum 0.986" "unstable, with the maximum"
good "too much gain as JSON" loop saxo --set ao.diameter=8 --set ao.gain=1.2 --json
holds '(.stable | not) and .gain == 1.2 and .phase_margin_deg == null and .noise_gain == null and
    ([.terms[2:][].after_nm] | all(. == null)) and .strehl == null and .nm_per_100us != null and (.terms[2].before_nm > 1000)' "no number of an unstable loop"
good "no diameter" loop saxo --set ao.diameter=0
has "The lag is not known: state ao.diameter" "a sentence"
good "no turbulence" loop saxo --set ao.diameter=8 --set atmosphere.wind=0
has "No lag: turbulence does not move, atmosphere.wind is 0." "a sentence"
lacks "100 us more" "no change of a lag that is absent"
is "$("$AOLAG" loop saxo --set atmosphere.wind=0 --json | jq -c '[.terms[] | select(.term == "fitting" or .term == "aliasing").after_nm]')" \
    "$("$AOLAG" loop saxo --json | jq -c '[.terms[] | select(.term == "fitting" or .term == "aliasing").after_nm]')" \
    "turbulence that does not move has fitting and aliasing"
good "no wind and no diameter" loop saxo --set ao.diameter=0 --set atmosphere.wind=0 --json
holds '[.terms[] | select(.term == "total").after_nm] == [null]' "no total without the diameter"
good "a fast vibration" loop saxo --set ao.vibrations=900:0.01:20
has "The vibration at 900 Hz is aliased, above half the frame rate, 690 Hz:" "a sentence"
good "as eval" eval saxo --set ao.vibrations=900:0.01:20,950:0.01:20
has "ao.vibrations: 900 Hz, 950 Hz are above half the frame rate," "a sentence"
good "no turbulence in eval" eval saxo --set atmosphere.wind=0
has "none: turbulence does not move, atmosphere.wind is 0 m/s" "a sentence"
good "the optimum in eval" eval saxo
has "0.228, optimum; maximum 0.986; 0.487 for 45 deg phase margin" "is the gain in force"
good "too much gain in eval" eval saxo --set ao.gain=1.2
has "1.20: unstable, maximum 0.986" "unstable, with the maximum"
good "a long exposure in eval" eval saxo --set component.camera.exposure=3000us --json
holds '.notes == ["component.camera.exposure: 3.00 ms, longer than its frame of 725 us"]' "a sentence"
good "controllers without a star" loop elt-scao
has "Without a star" "are compared with a caution"
good "an overloaded design" loop elt-scao --set scenario.frame_rate=5kHz
has "The design is overloaded" "a sentence"
good "the same as text" eval saxo --set component.camera.exposure=3000us
has "unknown: component.camera.exposure is 3.00 ms" "why the error is"
good "a loop that nobody closes in eval" eval saxo --set ao.rtc_latency=1s
has "unknown: ao.rtc_latency: the delay of 1.00 s" "why the error is"
good "the error without wind" eval saxo --set atmosphere.wind=0
lacks "lag -" "no lag in it"
bad 1 "component.camera.exposure is 3.00 ms; allowed in this loop: at most its period, 725 us" "a long exposure" \
    loop saxo --set component.camera.exposure=3000us

good "a segment that corrects no order" loop saxo --set ao.diameter=8 --set ao.actuators=1
has "0 radial orders corrected" "says so"
has "Nothing is corrected: tip and tilt take 2 modes." "in a sentence, too"
lacks "Optimum" "and no gain is one"
lacks "inf" "and compares nothing with it"
for wind in 1e-9 1e-4 1e-2; do
    good "a wind of $wind m/s" loop saxo --set ao.diameter=8 --set atmosphere.outer_scale=0 --set atmosphere.wind=$wind --json
    holds '.terms[2] | (.before_nm / 2530 - 1 | fabs) < 0.01 and .after_nm >= 0 and .after_nm < 1' \
        "leaves the turbulence as strong, and less of it"
done
good "a vibration without a known lag" loop saxo --set ao.diameter=0 --set "ao.vibrations=48 Hz:0.01:20 nm" --json
holds '.terms[-1] | .term == "total" and .before_nm == null' "has no total"
good "frames of a slower sensor" loop saxo --set wfs.ngs.rate_divisor=3
has "in total 1.37 frames," "its delays are in the same frames"
good "a sensor of every third frame" eval saxo --set wfs.ngs.rate_divisor=3 --json
third=$(jq .loop.tau_total_us "$out")
good "is one" eval saxo --set scenario.frame_rate=460 --json
holds "(.loop.tau_total_us / $third - 1 | fabs) < 1e-3" "of a loop of a third of the rate"
good "a rolling readout longer than the period" eval elt-scao --json \
    --set component.camera.shutter=rolling --set component.camera.order=centre-out \
    --set component.camera.readout=200ms --set component.camera.exposure=1ms \
    --set wfs.ngs.detector_height=1000
holds '.loop.delay_frames > 1 and .loop.servo_lag_nm > 0 and .loop.strehl_lag < 1' \
    "has a delay of its useful rows"

bad 2 '"48 0.01 20" lacks its damping; a vibration is frequency:damping:rms' "a vibration of blanks" \
    loop saxo --set "ao.vibrations=48 0.01 20"
bad 2 'lacks its rms; a vibration is frequency:damping:rms' "a vibration of two numbers" \
    loop saxo --set ao.vibrations=48:0.01
bad 2 'rms of "48:0.01:3 s": s is a unit of another kind' "of a wrong unit" loop saxo --set "ao.vibrations=48:0.01:3 s"
bad 2 'damping of "48:0:3" is out of range; allowed: 0.0001 to 1' "without damping" loop saxo --set ao.vibrations=48:0:3
bad 2 'has more than frequency, damping and rms' "of four numbers" loop saxo --set ao.vibrations=48:0.01:3:1
bad 2 'more than 8 vibrations' "nine of them" loop saxo --set ao.vibrations=1:1:1,1:1:1,1:1:1,1:1:1,1:1:1,1:1:1,1:1:1,1:1:1,1:1:1

good "several sensors" loop morfeo
has "The design has 9 sensors; the error budget is that of one star of wfs.lgs." "is that of one star"
good "one sensor" loop saxo
lacks "sensors;" "has no such note"

good "few subapertures" loop saxo --set ao.diameter=100 --set wfs.ngs.subaps_across=2
has "pitch 50.0 m on the primary" "of a large pitch"

# A filter that knows the noise and the outer scale leaves no more than an integrator.
for magnitude in 12 16 17 18 19 20; do
    good "magnitude $magnitude" loop micado-scao --set wfs.ngs.magnitude=$magnitude \
        --set wfs.ngs.throughput=0.3 --json
    holds '[.controllers[] | {(.controller): .total_nm}] | add | .lqg <= ."lqg-tip-tilt" and ."lqg-tip-tilt" <= .integrator and
        .pid <= .integrator' "filters leave no more, nor does a PID"
done

finish
