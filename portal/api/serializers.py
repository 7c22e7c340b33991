"""What serializers of every app begin with."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers


class Strict(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know: a typing error is no silent success."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError(dict.fromkeys(unknown, _("This field is not known here.")))
        return super().to_internal_value(data)


class StrictInteger(serializers.IntegerField):
    """A JSON number without a fraction; true, "3" and 3.0 are refused."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """true or false, nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


def checked(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    """The validated data; otherwise a 400 that names every field."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
