/** What a template needs of Jinja. `MISSING` stands for a value that is not there. */
export const PRELUDE = `import json
MISSING = ("\\u0000missing",)
out = []
def holds(value):
    return False if value == MISSING else bool(value)
def text(value):
    return "" if value == MISSING else str(value)
def each(value):
    return [] if value == MISSING else value
def field(value, name):
    if value == MISSING:
        raise TypeError("the template reads " + name + " of a value that is not there")
    return value[name] if isinstance(value, dict) and name in value else MISSING
def entry(value, key):
    if value == MISSING:
        raise TypeError("the template reads an entry of a value that is not there")
    try:
        return value[key]
    except (IndexError, KeyError, TypeError):
        return MISSING
def round_of(at, count):
    return {"index": at + 1, "index0": at, "first": at == 0, "last": at + 1 == count, "length": count, "revindex": count - at, "revindex0": count - at - 1}
def filter_default(value, other="", also_empty=False):
    return other if value == MISSING or (also_empty and not holds(value)) else value
def filter_first(value):
    items = list(each(value))
    return items[0] if len(items) > 0 else MISSING
def filter_last(value):
    items = list(each(value))
    return items[-1] if len(items) > 0 else MISSING
def filter_join(value, between=""):
    return text(between).join([text(item) for item in each(value)])
def filter_replace(value, old, new):
    return text(value).replace(old, new)
def filter_upper(value):
    return text(value).upper()
def filter_lower(value):
    return text(value).lower()
def filter_capitalize(value):
    return text(value).capitalize()
def filter_trim(value):
    return text(value).strip()
def filter_string(value):
    return text(value)
def filter_length(value):
    return len(each(value))
def filter_list(value):
    return list(each(value))
def filter_abs(value):
    return abs(value)
def filter_round(value, places=0):
    return round(value, places)
def filter_float(value, other=0.0):
    try:
        return float(value)
    except (TypeError, ValueError):
        return other
def filter_int(value, other=0):
    try:
        return int(value)
    except (TypeError, ValueError):
        pass
    try:
        return int(float(value))
    except (TypeError, ValueError):
        return other
def filter_tojson(value):
    if value == MISSING:
        raise TypeError("the template writes a value as JSON that is not there")
    return json.dumps(value, sort_keys=True).replace("<", "\\\\u003c").replace(">", "\\\\u003e").replace("&", "\\\\u0026").replace("'", "\\\\u0027")
def is_defined(value):
    return value != MISSING
def is_undefined(value):
    return value == MISSING
def is_none(value):
    return value is None
def is_true(value):
    return value is True
def is_false(value):
    return value is False
def is_string(value):
    return isinstance(value, str)
def is_number(value):
    return isinstance(value, (int, float))
def is_mapping(value):
    return isinstance(value, dict)
`;
