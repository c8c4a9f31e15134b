# aolag export: the loop of a design for simulators, with their conventions of delay, and back.
. "$srcdir/tests/cli/lib.sh"

# What each counts of a total delay, in the program's own words and by the total delay of eval.
good "a design" eval eris --json
total=$(jq '.loop.tau_total_us / 1000' "$out") # frames at 1000 Hz
good "for COMPASS" export compass eris --set ao.gain=0.3
is "$(sed -n 's/^p_controller0.set_delay(\(.*\))/\1/p' "$out" | awk -v n="$total" '{ print ($1 + 1 - n) ^ 2 < 1e-8 }')" 1 \
    "a frame less than the total delay"
has "p_controller0.set_gain(0.3)" "with the gain"
has "p_loop.set_ittime(0.001)" "and the period"
has "# gain: stated" "says where the gain comes from"
good "for SPECULA" export specula eris
is "$(sed -n 's/^  delay: //p' "$out" | awk -v n="$total" '{ print ($1 + 1 - n) ^ 2 < 1e-8 }')" 1 "likewise"
good "for soapy" export soapy eris
has "loopDelay: 2" "a frame less, rounded up"
has "total delay: 2.25017 frames, 2250.17 us; loopDelay counts frames beyond the first; the delay below is longer by 0.75 frames" \
    "beside it the exact one and how much is added"
good "for OOPAO" export oopao eris
has "frame_delay = 3" "all frames"
has "the loops of the tutorials have 1 and 2 frames: keep the slopes of the last 2" "more than the tutorials have"
good "the design before the format" export eris oopao --set ao.rtc_latency=500us
has "frame_delay = 3" "is found, too"
good "a loop with another latency" export compass eris --set ao.rtc_latency=1ms
is "$(sed -n 's/^p_controller0.set_delay(\(.*\))/\1/p' "$out" | awk -v n="$total" '{ print ($1 + 1 > n) }')" 1 \
    "has the total delay of that"
good "a delay of less than a frame" export compass eris --set component.camera.exposure=10us \
    --set component.camera.readout=10us --set component.dm.settle=0us --set ao.rtc_latency=1us
has "p_controller0.set_delay(0)" "is a frame, which is the least"

# Back: a parameter file of TIPTOP is read into a design that has its loop, so that its export is the same.
for system in $(some_systems); do
    run export tiptop "$system" -o file.ini
    [ "$status" != 0 ] && is "$(cat "$err")" "aolag: ao.diameter is not stated; TIPTOP requires the telescope's" "$system" && continue
    run import file.ini -o back.ini --force
    is "$status" 0 "$system is read back"
    good "the loop of $system" export tiptop back.ini
    grep -v '^;' file.ini >before
    grep -v '^;' "$out" >after
    is "$(diff before after)" "" "is the same"
    is "$("$AOLAG" loop back.ini --json | jq .pitch_cm | awk -v was="$("$AOLAG" loop "$system" --json | jq .pitch_cm)" \
        '{ print ($1 - was) ^ 2 < (1e-5 * was) ^ 2 }')" 1 "and the pitch of the mirror"
done

# Mirrors: what the file has is read back, what it does not have is named.
run export tiptop morfeo --set component.dm-dm2.pitch=1.5m --set component.dm-dm3.surface=pistons \
    --set component.dm-m4.surface=square --set component.dm-m4.bandwidth=900Hz -o mirrors.ini
is "$(sed -n 's/^; TIPTOP does not have //p; /^DmP/p; /^AoA/p' mirrors.ini)" "ao.actuators = 7098
ao.modes = 6564
component.dm-m4.actuators = 5352
component.dm-m4.bandwidth = 900 Hz
component.dm-dm2.actuators = 720
component.dm-dm3.actuators = 1026
component.dm-dm3.surface = pistons
DmPitchs = [0.566176, 1.5, 1.1]
AoArea = 'square'" "several mirrors"
good "they are read" import mirrors.ini -o back.ini --force
is "$(sed -n '/^pitch/s/ ;.*//p; /^surface/s/ ;.*//p' back.ini | tr '\n' ' ')" \
    "pitch = 56.6176 cm surface = square pitch = 150 cm surface = square pitch = 110 cm surface = square " \
    "each with its own"
good "a delay of one frame" export soapy eris --set scenario.frame_rate=20kHz
has "# The design is overloaded: delay and servo lag are those of one frame alone." "of a design that does not keep up"
lacks "RTC latency" "with the latency of the design"
good "a stated latency" export tiptop eris --set scenario.frame_rate=20kHz --set ao.rtc_latency=500us
has "; The design is overloaded: delay and servo lag are those of the RTC latency stated for the loop." "in spite of that"
has "; RTC latency: 500 us as stated by ao.rtc_latency, 29.57" "and what it would be"
good "several sensors" export tiptop galacsi
has "[sensor_HO]" "the first"
good "three sensors" export tiptop nfiraos-lgs
has "LoopDelaySteps_Focus = 2" "and the third"
# By hand: 2 frames of HO; LO at a quarter of the rate has 3 more, half in its exposure, half in its hold.
sed 's/^LoopDelaySteps_HO = .*/LoopDelaySteps_HO = 2/' "$TESTDATA/tiptop/two-sensors.ini" >two-frames.ini
run import two-frames.ini -o two.ini
good "a slower sensor" export tiptop two.ini
has "LoopDelaySteps_HO = 2" "frames of the first"
has "SensorFrameRate_LO = 250" "a quarter of the rate"
has "LoopDelaySteps_LO = 2" "(2 + 3) / 4 of its own, rounded up"
has "; total delay: 1.25 frames, 5000 us; LoopDelaySteps counts all frames; the delay below is longer by 0.75 frames, 3000 us" \
    "with the exact one"
run export soapy saxo -o loop.yaml
is "$status $(cat "$out")" "0 " "to a file"
succeeds "it is written" grep -q "^loopDelay: 2" loop.yaml

bad 2 "a format is missing, as in: aolag export saxo tiptop" "no format" export
bad 2 'unknown format "tipto"; did you mean tiptop?' "a wrong format" export tipto saxo
bad 1 "ao.diameter is not stated; TIPTOP requires the telescope's" "no diameter" export tiptop saxo --set ao.diameter=0
bad 1 "nowhere.ini" "no design" export tiptop nowhere.ini

finish
