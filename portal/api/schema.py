"""How the OpenAPI description tells of our tokens and of our errors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Bearer <token>`."""

    target_class = "portal.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "ballast_…"}


ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "place", "retryable"],
            "properties": {
                "code": {"type": "string", "description": "For programs; stable."},
                "message": {"type": "string", "description": "For people, in the language of the request."},
                "place": {
                    "type": "string",
                    "nullable": True,
                    "description": "Which field.",
                },
                "retryable": {
                    "type": "boolean",
                    "description": "Whether a later try can succeed.",
                },
                "extra": {"type": "object"},
                "problems": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"place": {"type": "string"}, "message": {"type": "string"}},
                    },
                },
            },
        }
    },
}
METHODS = {"get", "post", "put", "patch", "delete"}


def add_errors(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Give every operation the one shape of an error, as its `default` response."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            if method in METHODS:
                operation["responses"]["default"] = {"description": "An error", "content": content}
    return result
