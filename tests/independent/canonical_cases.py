"""JSON texts and their canonical JSON, each written out by hand: name, text, canonical text."""

_LONG = "7" * 4300
_DEEP_ARRAY = "[" * 500 + "]" * 500
_DEEP_OBJECT = '{"a":' * 499 + "{}" + "}" * 499

CANONICAL = [
    # structure
    ("null", "null", "null"),
    ("true", "true", "true"),
    ("false", "false", "false"),
    ("empty array", "[ ]", "[]"),
    ("empty object", "{ }", "{}"),
    ("white space of all four kinds", ' {\t"a" :\r[ 1 ,\n2 ] } ', '{"a":[1,2]}'),
    ("an array keeps its order", "[3,1,2]", "[3,1,2]"),
    ("500 levels of arrays", _DEEP_ARRAY, _DEEP_ARRAY),
    ("500 levels of objects", _DEEP_OBJECT, _DEEP_OBJECT),
    ("brackets inside a string are no levels", '"' + "[" * 600 + '"', '"' + "[" * 600 + '"'),
    # strings
    ("empty string", '""', '""'),
    ("short escapes", r'"\u0022\u005c\u0008\u000c\u000a\u000d\u0009"', r'"\"\\\b\f\n\r\t"'),
    ("a slash is itself", r'"\/a/"', '"/a/"'),
    ("other controls", r'"\u0000\u0001\u0007\u000B\u001F"', r'"\u0000\u0001\u0007\u000b\u001f"'),
    ("U+007F and C1 controls are themselves", r'"\u007f\u0080\u0085\u009f"', '"\x7f\x80\x85\x9f"'),
    ("line and paragraph separators are themselves", r'"\u2028\u2029"', '"\u2028\u2029"'),
    ("a byte order mark inside a string is itself", r'"a\uFEFFb"', '"a\ufeffb"'),
    ("escaped letters are themselves", r'"\u0041\u00e9\u0627"', '"Aéا"'),
    ("characters of HTML are themselves", "\"<a href='x'>&amp;</a>\"", "\"<a href='x'>&amp;</a>\""),
    ("Uzbek", r'"O\u02bbzbekcha, gʻalaba"', '"Oʻzbekcha, gʻalaba"'),
    ("Urdu with a zero width non-joiner", r'"\u0646\u06c1\u200cہے"', '"ن\u06c1\u200cہے"'),
    ("direction marks are themselves", r'"\u202eabc\u202c\u061c\u200f"', '"\u202eabc\u202c\u061c\u200f"'),
    ("nothing is normalised", r'"\u00e9 e\u0301 \ufb01"', '"é e\u0301 \ufb01"'),
    ("an escaped pair is its character", r'"\ud83d\ude00"', '"😀"'),
    ("an astral character is itself", '"😀𐐷"', '"😀𐐷"'),
    ("the last code point and noncharacters", r'"\udbff\udfff\uffff\ufffe\ufdd0"', '"\U0010ffff\uffff\ufffe\ufdd0"'),
    ("a lone high surrogate", r'"cut \ud83d"', r'"cut \ud83d"'),
    ("a lone low surrogate in capitals", r'"\uDE00!"', r'"\ude00!"'),
    ("surrogates in the wrong order", r'"\ude00\ud83d"', r'"\ude00\ud83d"'),
    ("a lone surrogate before a pair", r'"\ud83d\ud83d\ude00"', '"\\ud83d😀"'),
    ("an escaped backslash before u", r'"\\ud83d"', r'"\\ud83d"'),
    # keys
    (
        "keys by code point",
        '{"b":1,"a":2,"B":3,"":4,"aa":5,"é":6,"_":7}',
        '{"":4,"B":3,"_":7,"a":2,"aa":5,"b":1,"é":6}',
    ),
    ("keys of digits are text", '{"9":0,"10":0,"1":0,"-1":0}', '{"-1":0,"1":0,"10":0,"9":0}'),
    ("keys beyond the basic plane come last", '{"😀":1,"ﬀ":2,"\ufffd":3,"z":4}', '{"z":4,"ﬀ":2,"\ufffd":3,"😀":1}'),
    (
        "a lone surrogate among keys",
        r'{"ﬀ":1,"\ud83d":2,"\ud7ff":3,"\ud83d\ude00":4}',
        '{"\ud7ff":3,"\\ud83d":2,"ﬀ":1,"😀":4}',
    ),
    (
        "a lone surrogate before an astral one",
        r'{"\ud83d\ude00":1,"\ud83dz":2,"\ud83d":3}',
        '{"\\ud83d":3,"\\ud83dz":2,"😀":1}',
    ),
    (
        "keys with escapes are sorted by what they mean",
        r'{"\u0062":1,"\n":2,"a":3," ":4}',
        r'{"\n":2," ":4,"a":3,"b":1}',
    ),
    (
        "keys that some languages treat apart",
        '{"toString":1,"__proto__":2,"constructor":3}',
        '{"__proto__":2,"constructor":3,"toString":1}',
    ),
    ("keys of Urdu and Uzbek", '{"ے":1,"ا":2,"oʻ":3,"o":4}', '{"o":4,"oʻ":3,"ا":2,"ے":1}'),
    ("sorted at every level", '{"b":[{"d":1,"c":2}],"a":{"f":{},"e":[]}}', '{"a":{"e":[],"f":{}},"b":[{"c":2,"d":1}]}'),
    # integers
    ("zero", "0", "0"),
    ("minus zero is the integer zero", "-0", "0"),
    ("negative", "-17", "-17"),
    ("beyond 2 to the 53", "9007199254740993", "9007199254740993"),
    ("beyond 64 bits", "[18446744073709551616,-9223372036854775809]", "[18446744073709551616,-9223372036854775809]"),
    ("4,300 digits", _LONG, _LONG),
    ("minus and 4,300 digits", "-" + _LONG, "-" + _LONG),
    # floats
    ("a fraction of zero stays", "[1.0,-1.0,100.0]", "[1.0,-1.0,100.0]"),
    ("zero and minus zero", "[0.0,-0.0,0e0,-0e5,0.000]", "[0.0,-0.0,0.0,-0.0,0.0]"),
    ("an exponent makes a float", "[1e0,1E5,1e+2,12e-1]", "[1.0,100000.0,100.0,1.2]"),
    ("zeros at the end go", "[1.10,0.500,100e-2]", "[1.1,0.5,1.0]"),
    (
        "below 1e16 in full",
        "[1e15,1.5e15,9999999999999998.0]",
        "[1000000000000000.0,1500000000000000.0,9999999999999998.0]",
    ),
    (
        "from 1e16 with an exponent",
        "[1e16,12345678901234567890.0,1e21,1e22,1e100]",
        "[1e+16,1.2345678901234567e+19,1e+21,1e+22,1e+100]",
    ),
    ("from 0.0001 in full", "[0.0001,1e-4,0.00012345]", "[0.0001,0.0001,0.00012345]"),
    (
        "below 0.0001 with an exponent of two digits",
        "[0.00001,1e-7,1.5e-7,0.000099,1e-10,1e-100]",
        "[1e-05,1e-07,1.5e-07,9.9e-05,1e-10,1e-100]",
    ),
    (
        "shortest digits that read back",
        "[0.1,0.30000000000000004,2.675,5e-324,123456789.125]",
        "[0.1,0.30000000000000004,2.675,5e-324,123456789.125]",
    ),
    (
        "more digits than a double holds",
        "[0.1000000000000000055511151231257827,3.14159265358979323846]",
        "[0.1,3.141592653589793]",
    ),
    ("halfway goes to even", "[9007199254740993.0,9007199254740995.0]", "[9007199254740992.0,9007199254740996.0]"),
    (
        "the largest double",
        "[1.7976931348623157e308,-1.7976931348623158e308]",
        "[1.7976931348623157e+308,-1.7976931348623157e+308]",
    ),
    (
        "powers of two, whose shortest digits are not what rounding to as many gives: 2^-44, 2^-24, 2^89",
        "[5.684341886080801486968994140625e-14,5.9604644775390625e-8,618970019642690137449562112.0]",
        "[5.684341886080802e-14,5.960464477539063e-08,6.189700196426902e+26]",
    ),
    ("the smallest normal and subnormal", "[2.2250738585072014e-308,4.9e-324]", "[2.2250738585072014e-308,5e-324]"),
    ("too small is zero with its sign", "[1e-999,-1e-999,2e-324]", "[0.0,-0.0,0.0]"),
    ("integer and float apart", "[1,1.0,1e0]", "[1,1.0,1.0]"),
]
