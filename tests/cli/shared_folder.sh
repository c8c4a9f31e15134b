#!/bin/sh
# Links and files of another user in a folder in which everybody may create files, such as /tmp: as with
# fs.protected_symlinks and fs.protected_regular, however these are set, a link there is followed to write
# only if it belongs to the user or to the owner of the folder. As root, who can be two users.
. "$srcdir/tests/cli/lib.sh"

other=65534
as_other() {
    setpriv --reuid $other --regid $other --clear-groups "$@"
}

if [ "$(id -u)" -ne 0 ]; then
    skip "links of another user" "only root can be two users"
    finish
fi
chmod 711 "$HOME" "$TMPDIR" # its own
mkdir shared mine
chmod 1777 shared
: >shared/probe
if ! as_other cat shared/probe 2>"$err"; then
    skip "links of another user" "no second user: $(head -n 1 "$err")"
    finish
fi
words="plot timeline saxo -o"
link="of another user in a directory that everybody can write to"

as_other ln -s "$PWD/mine/new.svg" shared/new.svg
as_other ln -s "$PWD/mine/old.svg" shared/old.svg
as_other ln -s "$PWD/mine" shared/folder
as_other ln -s own.svg shared/chain.svg
as_other sh -c 'echo theirs >shared/theirs.svg; chmod 666 shared/theirs.svg'
mkdir mine/sub
ln -s folder/sub shared/mine
ln -s new.svg shared/leads.svg
ln -s "$PWD/mine/own.svg" shared/own.svg
echo old >mine/old.svg

bad 1 "aolag: shared/new.svg: it is a link $link" "to a new file" $words shared/new.svg
bad 1 "aolag: shared/old.svg: it is a link $link" "to a file that exists" $words shared/old.svg
bad 1 "aolag: shared/chain.svg: it is a link $link" "to a link of the user" $words shared/chain.svg
bad 1 "aolag: shared/leads.svg: it leads through shared/new.svg, a link $link" "behind a link of the user" \
    $words shared/leads.svg
for way in folder/x.svg folder//x.svg folder/./x.svg folder/../x.svg folder/sub/x.svg mine/x.svg; do
    bad 1 "aolag: shared/$way: it leads through shared/folder, a link $link" "to a directory: $way" \
        $words shared/$way
done
bad 1 "aolag: shared/theirs.svg: belongs to another user and is in a directory that everybody can write to" \
    "a file of another user" $words shared/theirs.svg
is "$(ls mine mine/sub . | grep svg) $(cat mine/old.svg shared/theirs.svg)" "old.svg old
theirs" "nothing was written"
run $words shared/own.svg
is "$status $(ls mine/own.svg)" "0 mine/own.svg" "a link of the user is followed"
ln -s ../mine shared/way
run $words shared/way/sub/own.svg
is "$status $(ls mine/sub)" "0 own.svg" "also to a directory"

# The explorer: what it cannot save it keeps.
"$AOLAG" presets show saxo >mine/d.ini
cp mine/d.ini before.ini
as_other ln -s "$PWD/mine/d.ini" shared/d.ini
printf '%s\n' 'text :set scenario.packets=33' Enter 'text :w shared/d.ini' Enter screen >keys
run screen mine/d.ini --keys keys
has "shared/d.ini: it is a link of another user" "the explorer says it"
succeeds "and leaves the file" cmp mine/d.ini before.ini

# Where the link is its folder's owner's, or the folder is not shared, nothing is to be feared.
chown $other shared
run $words shared/new.svg
is "$status $(ls mine/new.svg)" "0 mine/new.svg" "a link of the owner of the folder is followed"
rm mine/new.svg
chown 0 shared
chmod 0777 shared
run $words shared/new.svg
is "$status $(ls mine/new.svg)" "0 mine/new.svg" "a link in a folder that is not sticky is followed"

# Reading is the kernel's decision, whose reason is told; here the call fails as with the protection.
chmod 1777 shared
plain_only "what cannot be read"
for call in 1 2 3 4 5 6 7 8 9 10 11 12; do
    LD_PRELOAD=$STARVE STARVE_OF=open STARVE_AT=$call STARVE_ERRNO=13 "$AOLAG" check shared/d.ini
done >"$out" 2>&1
has "aolag: cannot open shared/d.ini: Permission denied: it is a link $link" "a scenario that cannot be read"

finish
