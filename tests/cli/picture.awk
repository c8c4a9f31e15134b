# Geometry of a picture that aolag plot wrote: prints texts that leave the page or overlap, and labels
# that a curve, a mark of one or a dashed rule crosses or touches. The width of a text is estimated from its number of characters, so that the
# fonts of the machine do not matter; between texts half a line of a character is tolerated.

function value(name,    text) {
    if (!match($0, " " name "=\"[^\"]*\""))
        return ""
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", text)
    sub(/"$/, "", text)
    return text
}

# Characters of the text: an entity and the bytes of a character in UTF-8 are one.
function characters(text) {
    gsub(/&[a-z]+;/, "x", text)
    gsub(/[\200-\277]/, "", text)
    return length(text)
}

/^<svg / { page_width = value("width") + 0; page_height = value("height") + 0 }

/^<text / && !/transform=/ {
    text = $0
    gsub(/<[^>]*>/, "", text)
    size = value("font-size") + 0
    wide = 0.5 * size * characters(text)
    x = value("x") + 0
    x -= value("text-anchor") == "end" ? wide : value("text-anchor") == "middle" ? wide / 2 : 0
    n++
    name[n] = text
    left[n] = x
    right[n] = x + wide
    bottom[n] = value("y") + 0
    top[n] = bottom[n] - 0.7 * size
    if (x < 0 || right[n] > page_width || bottom[n] > page_height || top[n] < 0)
        print "outside the page: " text
    for (i = 1; i < n; i++)
        if (left[n] < right[i] && left[i] < right[n] && top[n] < bottom[i] && top[i] < bottom[n])
            print "overlap: " name[i] " / " text
    if (box) { # the text of a label follows its box
        label[n] = 1
        box = 0
    }
}

/^<rect / && /fill-opacity="0.8"/ { box = 1 }

# A curve: a path of lines without transformation; the contour of a map and an area are behind labels.
/^<path / && !/transform=/ && !/stroke-linecap/ && !/fill-opacity/ && !/<pattern/ {
    count = split(value("d"), step, /[ML]/)
    kinds = value("d")
    gsub(/[^ML]/, "", kinds)
    for (i = 2; i <= count; i++) {
        split(step[i], point, ",")
        if (substr(kinds, i - 1, 1) == "L") {
            c++
            from_x[c] = old_x; from_y[c] = old_y; to_x[c] = point[1] + 0; to_y[c] = point[2] + 0
        }
        old_x = point[1] + 0; old_y = point[2] + 0
    }
}

# A mark.
/^<path transform="translate/ {
    split(value("transform"), at, /[(,)]/)
    m++
    mark_x[m] = at[2] + 0; mark_y[m] = at[3] + 0
}

/^<line / && /stroke-dasharray/ && !/stroke-width="2.5"/ {
    c++
    from_x[c] = value("x1") + 0; from_y[c] = value("y1") + 0
    to_x[c] = value("x2") + 0; to_y[c] = value("y2") + 0
}

END {
    for (l = 1; l <= n; l++) {
        deep[l] = bottom[l] + 0.2 * (bottom[l] - top[l]) / 0.7 # of letters such as p
        for (i = 1; label[l] && i <= m; i++)
            if (mark_x[i] + 5 > left[l] && mark_x[i] - 5 < right[l] && mark_y[i] + 5 > top[l] &&
                mark_y[i] - 5 < deep[l])
                print "a mark touches: " name[l]
    }
    for (i = 1; i <= c; i++)
        for (l = 1; l <= n; l++)
            for (p = 0; label[l] && p <= 200; p++) {
                x = from_x[i] + p / 200 * (to_x[i] - from_x[i])
                y = from_y[i] + p / 200 * (to_y[i] - from_y[i])
                if (x > left[l] && x < right[l] && y > top[l] && y < deep[l] + 1) {
                    print "a curve crosses: " name[l]
                    break
                }
            }
}
