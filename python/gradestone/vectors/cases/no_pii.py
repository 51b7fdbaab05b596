"""Cases of ``no_pii``. All specimens are published examples, or made up for the purpose."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat

BASE58_34: Final = "A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNaB"
"""34 characters of base58, of which an address takes 25 to 34 behind its first."""


def clean(name: str, comment: str, flags: str, candidate: Json, *entities: str) -> Case:
    """State that nothing is found; without ``entities``, by no detector."""
    return passes(name, comment, flags, {"entities": list(entities)} if entities else {}, candidate)


def found(
    name: str, comment: str, flags: str, candidate: Json, *kinds: str, entities: list[str] | None = None
) -> Case:
    """State the kinds that are found, by all detectors or by those of ``entities``."""
    options = {} if entities is None else {"entities": entities}
    return fails(name, comment, flags, "pii_found", options, candidate, metadata={"entities": list(kinds)})


CASES: Final[tuple[Case, ...]] = (
    clean("nothing", "A text without personal data.", "Basic", "The meeting is on 12.5. at 10:30 in room 4."),
    clean("empty_candidate", "An empty text holds nothing.", "EmptyInput", ""),
    # email
    found("email", "An address.", "Basic", "mail jane.doe+x@mail.example.org today", "email"),
    found("email_shortest", "One character, and two letters at the end.", "Length", "a@b.cd", "email"),
    clean("email_one_letter", "One letter at the end is too few.", "Length", "a@b.c"),
    clean("email_no_dot", "A host without a dot is none.", "Basic", "root@localhost"),
    clean("email_nothing_before", "Something must stand before the sign.", "Basic", " @example.org"),
    clean("email_digits_at_the_end", "The last label is letters.", "Basic", "a@example.12"),
    found(
        "email_backtracks",
        "The host gives back until a dot and letters are left.",
        "FirstMatch",
        "a@b.co.1",
        "email",
    ),
    found("email_no_borders", "Nothing is asked of the neighbours.", "Border", "\u00e9a@b.co\u00e9", "email"),
    found("email_consecutive_dots", "Dots may follow each other.", "Basic", "a..b@c..org", "email"),
    clean("email_letters_beyond_ascii", "Letters are ASCII.", "Border", "\u00e9@\u00fc.\u00f6\u00e4"),
    clean("email_kelvin", "U+212A is no letter here: nothing is lowercased.", "Kelvin", "a@b.\u212a\u212a"),
    # credit_card
    found("card_16", "A card number.", "Basic Checksum", "card 4111111111111111.", "credit_card"),
    clean("card_checksum", "One digit off.", "Checksum", "card 4111111111111112."),
    clean("card_swapped_digits", "Luhn finds two swapped digits.", "Checksum", "card 1411111111111111."),
    clean(
        "card_inside_a_match",
        "A card number inside a longer match is not looked for: the search goes on behind it.",
        "FirstMatch",
        "1 4111111111111111",
        "credit_card",
    ),
    found(
        "card_behind_a_match",
        "Behind it, it is found.",
        "FirstMatch",
        "1234567890123456, 4111111111111111",
        "credit_card",
    ),
    found("card_spaces", "Groups with spaces.", "Basic", "4111 1111 1111 1111", "credit_card"),
    found("card_dashes", "Groups with dashes.", "Basic", "4111-1111-1111-1111", "credit_card"),
    clean("card_two_spaces", "One separator between two digits, not two.", "Basic", "4111  1111  1111  1111"),
    clean("card_dots", "A dot is no separator.", "Basic", "4111.1111.1111.1111"),
    clean("card_nbsp", "Nor is U+00A0.", "Whitespace", "4111\u00a01111\u00a01111\u00a01111"),
    found(
        "card_every_digit_apart",
        "Each digit may have one.",
        "Basic",
        "4-1-1-1 1 1 1 1 1 1 1 1 1 1 1 1",
        "credit_card",
    ),
    found("card_13", "13 digits are the fewest.", "Length", "4222222222222", "credit_card"),
    clean("card_12", "12 are too few.", "Length", "424242424242"),
    found("card_15", "15 digits.", "Length", "378282246310005", "credit_card"),
    found("card_19", "19 are the most.", "Length", "6304000000000000000", "credit_card"),
    clean("card_20", "20 are too many.", "Length", "63040000000000000000"),
    found(
        "card_letters_beside", "Letters may stand beside it.", "Border", "x4111111111111111y", "credit_card"
    ),
    clean(
        "card_inside_longer_number",
        "A longer number hides it: a digit is beside any 16 of these 20.",
        "Border",
        "00004111111111111111",
    ),
    found(
        "card_backtracks",
        "The pattern gives back until no digit follows: these 16 are a card.",
        "FirstMatch",
        "4111 1111 1111 1111 12345678",
        "credit_card",
    ),
    clean(
        "card_takes_what_it_can",
        "The pattern takes 19 digits, which fail; the card within is not tried.",
        "FirstMatch",
        "4111 1111 1111 1111 123",
    ),
    found(
        "card_behind_failure",
        "Behind a match that fails the search goes on.",
        "FirstMatch",
        "4111111111111112/4111111111111111",
        "credit_card",
    ),
    clean("card_digits_beyond_ascii", "Digits are ASCII.", "Border", repeat("\u0664", 16)),
    found(
        "card_trailing_separator",
        "A separator behind the last digit is part of the match.",
        "FirstMatch",
        "4111111111111111-",
        "credit_card",
    ),
    # iban
    found("iban", "An IBAN.", "Basic Checksum", "pay to GB82WEST12345698765432", "iban"),
    clean("iban_checksum", "One digit off.", "Checksum", "pay to GB83WEST12345698765432"),
    found("iban_lower_case", "In lower case.", "Basic", "de89370400440532013000", "iban"),
    clean("iban_groups", "Groups are not put together.", "Basic", "GB82 WEST 1234 5698 7654 32"),
    found("iban_15", "15 characters are the fewest.", "Length", "NO9386011117947", "iban"),
    clean("iban_14", "14 are too few, whatever the checksum.", "Length Checksum", "XX55A1B2C3D4E5"),
    found("iban_34", "34 are the most.", "Length", "XX50A1B2C3D4E5F6G7H8J9K0L1M2N3P4Q5", "iban"),
    clean("iban_35", "35 are too many.", "Length Checksum", "XX17A1B2C3D4E5F6G7H8J9K0L1M2N3P4Q5R"),
    clean(
        "iban_valid_but_for_border",
        "A valid one of 34 with a letter behind it.",
        "Border",
        "XX50A1B2C3D4E5F6G7H8J9K0L1M2N3P4Q5R",
    ),
    clean(
        "iban_letter_before", "No letter or digit may stand before it.", "Border", "xGB82WEST12345698765432"
    ),
    clean("iban_digit_behind", "Nor behind it.", "Border", "GB82WEST123456987654321"),
    found(
        "iban_underscore_beside", "The underscore is neither.", "Border", "_GB82WEST12345698765432_", "iban"
    ),
    found(
        "iban_letter_beyond_ascii_beside",
        "Nor is a letter beyond ASCII.",
        "Border",
        "\u00e9GB82WEST12345698765432\u00e9",
        "iban",
    ),
    # ipv4
    found("ipv4", "An address.", "Basic", "host 192.0.2.1 is up", "ipv4"),
    found("ipv4_bounds", "0 and 255 are octets.", "Length", "0.255.249.199", "ipv4"),
    clean("ipv4_256", "256 is none.", "Length", "192.0.2.256"),
    clean("ipv4_260", "Nor is 260.", "Length", "192.0.260.1"),
    clean("ipv4_300", "Nor is 300.", "Length", "1.300.2.1"),
    clean("ipv4_leading_zero", "Nor is 01.", "Basic", "192.0.02.1"),
    clean("ipv4_last_leading_zero", "Nor at the end.", "Basic", "192.0.2.01"),
    clean("ipv4_three_octets", "Three octets are too few.", "Length", "1.2.3"),
    found(
        "ipv4_five_octets",
        "A dot may stand beside it, so four of five are one.",
        "Border",
        "1.2.3.4.5",
        "ipv4",
    ),
    found("ipv4_version_number", "A version with four parts is not told apart.", "Basic", "v1.2.3.4", "ipv4"),
    clean("ipv4_digit_before", "A digit before hides it.", "Border", "1920.0.2.1"),
    clean("ipv4_digit_behind", "So does one behind.", "Border", "192.0.2.1000"),
    found("ipv4_letters_beside", "Letters may stand beside it.", "Border", "a192.0.2.1b", "ipv4"),
    found(
        "ipv4_starts_later",
        "Where it fails from the first octet it may start at a later one.",
        "FirstMatch",
        "256.1.2.3.4",
        "ipv4",
    ),
    clean("ipv4_full_width_dots", "The dot is ASCII.", "Border", "192\uff0e0\uff0e2\uff0e1"),
    # ipv6
    found("ipv6_eight_groups", "Eight groups.", "Basic", "2001:db8:0:0:0:0:0:1", "ipv6"),
    found("ipv6_letters_only", "Eight groups need no digit.", "Basic", "a:b:c:d:e:f:a:b", "ipv6"),
    clean("ipv6_seven_groups", "Seven are too few.", "Length", "2001:db8:0:0:0:0:1"),
    clean("ipv6_nine_groups", "Nine are too many.", "Length", "2001:db8:0:0:0:0:0:0:1"),
    found("ipv6_compressed", "A form with ::.", "Basic", "[fe80::1]", "ipv6"),
    found("ipv6_loopback", "Nothing before it.", "Basic", "::1", "ipv6"),
    found("ipv6_nothing_behind", "Nothing behind it.", "Basic", "2001:db8::", "ipv6"),
    clean("ipv6_bare", "Nothing at all: no digit.", "Basic", "::"),
    clean("ipv6_scope", "A scope of a language is none.", "Basic", "std::vector a::b"),
    found("ipv6_letter_and_digit", "One digit is enough.", "Basic", "dead::b3ef", "ipv6"),
    found(
        "ipv6_many_groups", "The :: form has no limit of groups.", "Length", "1:2:3:4:5:6:7:8::9:a:b", "ipv6"
    ),
    clean("ipv6_two_gaps", "One :: only.", "Basic", "1::2::3"),
    clean("ipv6_three_colons", "And no third colon.", "Basic", "1:::2"),
    clean("ipv6_five_digits", "A group has four digits at most.", "Length", "12345::1"),
    clean("ipv6_single_colon_before", "A colon may not stand beside it.", "Border", ":1::2"),
    clean("ipv6_colon_behind", "Nor behind it.", "Border", "1::2:"),
    found("ipv6_letter_beside", "A letter that is no hex digit may.", "Border", "g::1z", "ipv6"),
    clean("ipv6_hex_letter_beside", "A run of hex digits is one group, here of five.", "Border", "abcde::1"),
    found("ipv6_mapped_ipv4", "Both kinds are found.", "Basic Report", "::ffff:192.0.2.1", "ipv4", "ipv6"),
    clean("ipv6_time", "A time of day is none.", "Basic", "12:30:45"),
    found("ipv6_upper_case", "Upper case is hex too.", "Basic", "FE80::ABCD", "ipv6"),
    # phone
    found("phone", "A number.", "Basic", "call +44 (20) 7946-0958.", "phone"),
    found("phone_seven_digits", "Seven digits are the fewest.", "Length", "+1234567", "phone"),
    clean("phone_six_digits", "Six are too few, however they are spread.", "Length", "+1-2-3-4-5-6"),
    found("phone_fifteen_digits", "Fifteen are the most.", "Length", "+123456789012345", "phone"),
    clean("phone_sixteen_digits", "Sixteen are too many.", "Length", "+1234567890123456", "phone"),
    clean("phone_local", "Without the plus it is none.", "Basic", "020 7946 0958", "phone"),
    clean("phone_zeros", "00 is no plus.", "Basic", "0044 20 7946 0958", "phone"),
    found(
        "phone_in_brackets",
        "A bracket before the plus begins a run that fails, and the plus begins another.",
        "FirstMatch",
        "(+44) 20 7946 0958",
        "phone",
    ),
    found(
        "phone_behind_number",
        "A run that begins with a digit ends before the plus.",
        "FirstMatch",
        "12345678 +44 20 7946 0958",
        "phone",
    ),
    clean(
        "phone_run_goes_on",
        "Two numbers with a space between are one run of too many digits.",
        "FirstMatch",
        "+442079460958 2079460959",
        "phone",
    ),
    found("phone_comma_between", "A comma ends the run.", "FirstMatch", "+442079460958, 2079460959", "phone"),
    found(
        "phone_line_break",
        "Pinned whitespace belongs to it.",
        "Whitespace",
        "+44\t20\n7946\r\f\u000b0958",
        "phone",
    ),
    clean("phone_nbsp", "U+00A0 ends it.", "Whitespace", "+44\u00a020\u00a07946", "phone"),
    found("phone_no_borders", "Nothing is asked of the neighbours.", "Border", "x+442079460958y", "phone"),
    found(
        "phone_ends_with_digit",
        "What stands behind the last digit is left.",
        "FirstMatch",
        "+1234567 ()",
        "phone",
    ),
    found("phone_dots", "Dots belong to it.", "Basic", "+44.20.7946.0958", "phone"),
    clean("phone_slash", "A slash ends the run.", "Basic", "+44/20/79460958", "phone"),
    clean("phone_plus_inside", "So does a second plus.", "Basic", "+123+4567", "phone"),
    # crypto
    found("crypto_base58", "An address.", "Basic", "send to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "crypto"),
    found("crypto_26", "26 characters are the fewest.", "Length", "3" + BASE58_34[:25], "crypto"),
    clean("crypto_25", "25 are too few.", "Length", "3" + BASE58_34[:24]),
    found("crypto_35", "35 are the most.", "Length", "1" + BASE58_34, "crypto"),
    clean("crypto_36", "36 are too many.", "Length", "1" + BASE58_34 + "c"),
    clean("crypto_first_character", "It starts with 1 or 3.", "Basic", "2" + BASE58_34[:30]),
    clean("crypto_zero", "A zero is not in base58.", "Basic", "1" + BASE58_34[:12] + "0" + BASE58_34[12:24]),
    clean("crypto_capital_o", "Nor is O.", "Basic", "1" + BASE58_34[:12] + "O" + BASE58_34[12:24]),
    clean("crypto_capital_i", "Nor is I.", "Basic", "1" + BASE58_34[:12] + "I" + BASE58_34[12:24]),
    clean("crypto_small_l", "Nor is l.", "Basic", "1" + BASE58_34[:12] + "l" + BASE58_34[12:24]),
    clean("crypto_base58_before", "No base58 character before it.", "Border", "x1" + BASE58_34[:30]),
    found("crypto_zero_beside", "A zero beside it is none.", "Border", "01" + BASE58_34[:30] + "0", "crypto"),
    found(
        "crypto_bech32", "A bech32 address.", "Basic", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "crypto"
    ),
    found(
        "crypto_bech32_25",
        "25 characters behind bc1 are the fewest.",
        "Length",
        concat("bc1", repeat("q", 25)),
        "crypto",
    ),
    clean("crypto_bech32_24", "24 are too few.", "Length", concat("bc1", repeat("q", 24))),
    found("crypto_bech32_60", "60 are the most.", "Length", concat("bc1", repeat("q", 60)), "crypto"),
    clean("crypto_bech32_61", "61 are too many.", "Length", concat("bc1", repeat("q", 61))),
    clean("crypto_bech32_upper", "In lower case only.", "Basic", concat("BC1", repeat("Q", 30))),
    clean("crypto_bech32_upper_prefix", "The prefix too.", "Basic", concat("BC1", repeat("q", 30))),
    clean(
        "crypto_bech32_letter_before",
        "No lowercase letter before it.",
        "Border",
        concat("xbc1", repeat("q", 30)),
    ),
    found(
        "crypto_bech32_capitals_beside",
        "Capitals may stand beside it.",
        "Border",
        concat("Xbc1", repeat("q", 30), "X"),
        "crypto",
    ),
    # Choice and report.
    found(
        "kinds_in_order",
        "Kinds are told in a fixed order.",
        "Report",
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq +442079460958; ::1, 192.0.2.1 GB82WEST12345698765432 "
        "4111111111111111 a@b.co",
        "email",
        "credit_card",
        "iban",
        "ipv4",
        "ipv6",
        "phone",
        "crypto",
    ),
    found("kinds_once", "Each once.", "Report", "a@b.co c@d.ef", "email"),
    found(
        "chosen_kinds",
        "Only what is asked for, in the fixed order whatever the option says.",
        "Report",
        "a@b.co 192.0.2.1 ::1",
        "email",
        "ipv6",
        entities=["ipv6", "email", "ipv6"],
    ),
    clean(
        "other_kinds", "What is not asked for is not found.", "Report", "a@b.co 192.0.2.1", "iban", "phone"
    ),
    found(
        "one_kind_each",
        "Detectors do not share what they consume.",
        "Overlap",
        "a@4111111111111111.example.org",
        "email",
        "credit_card",
    ),
    # Structured candidates.
    found(
        "inner_string",
        "An escaped line break hides nothing: in the JSON text an n stands before the IBAN.",
        "Structured",
        {"a": "x\nGB82WEST12345698765432"},
        "iban",
    ),
    found("inner_key", "Keys count.", "Structured", {"a@b.co": 1}, "email"),
    found("inner_deep", "At any depth.", "Structured", [{"a": [{"b": ["a@b.co"]}]}], "email"),
    found(
        "number_is_text",
        "A number is there by its text.",
        "Structured NumberText",
        {"card": 4111111111111111},
        "credit_card",
    ),
    found(
        "double_is_text",
        "As ECMAScript prints it.",
        "Structured NumberText",
        [4.111111111111111e15],
        "credit_card",
    ),
    clean(
        "strings_apart",
        "Two strings are two texts, and a comma stands between them in the JSON text.",
        "Structured",
        ["4111 1111", "1111 1111"],
    ),
    clean("null_candidate", "Null has a text, which holds nothing.", "JsonText", None),
    # Surrogates.
    found(
        "lone_surrogate",
        "A lone surrogate does not stop the search.",
        "LoneSurrogate",
        "\ud800a@b.co\udfff",
        "email",
    ),
    found("astral", "Nor do astral characters.", "Astral", "\U0001f600192.0.2.1\U0001f600", "ipv4"),
    # Inputs and options.
    clean("long_text", "There is no cap.", "Cap", repeat("a@", 25_000)),
    fails(
        "no_candidate",
        "A missing answer is not a clean one.",
        "MissingInput",
        "missing_candidate",
        {},
        ABSENT,
    ),
    fails("depth_513", "513 levels are refused.", "NotJsonValue", "not_json_value", {}, nest("b", 513)),
    fails(
        "entities_empty",
        "An empty list looks for nothing and must not pass.",
        "OptionCheck",
        "invalid_option",
        {"entities": []},
        "a",
    ),
    fails(
        "entities_unknown",
        "An unknown kind is refused.",
        "OptionCheck",
        "invalid_option",
        {"entities": ["e-mail"]},
        "a",
    ),
    fails(
        "entities_null",
        "Null does not stand for all.",
        "NullOption",
        "invalid_option",
        {"entities": None},
        "a",
    ),
    fails("entities_text", "A text is no list.", "OptionCheck", "invalid_option", {"entities": "email"}, "a"),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"kinds": ["email"]},
        "a",
    ),
)
