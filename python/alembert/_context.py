"""What a result was made from: results of functions do not keep the records, so that their reports need them."""

import weakref

_known: dict = {}


def remember(result, **context):
    """Keeps the arguments of a call as long as its result lives."""
    number = id(result)
    _known[number] = (weakref.ref(result, lambda _: _known.pop(number, None)), context)
    return result


def context_of(result):
    """The arguments of the call that made a result; empty where they are not known (after pickling, say)."""
    found = _known.get(id(result))
    return found[1] if found is not None and found[0]() is result else {}
