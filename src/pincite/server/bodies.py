"""What the body of a request is made of: faults in it are told, but not ten thousand of them."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

T = TypeVar("T")

QUESTION = "How long is a gift card valid?"
"""In examples."""

MOST_FAULTS = 20
"""That are told of one request: whoever sends more has sent something else."""

Several = Annotated[list[T], Field(max_length=10_000, fail_fast=True)]
"""A list in a request, of which nothing is read after the first fault."""


def examples(*bodies: dict[str, JsonValue]) -> ConfigDict:
    """What the description of a body shows of it."""
    return ConfigDict(json_schema_extra={"examples": [*bodies]})


class Body(BaseModel):
    """The body of a request, or a part of one, whose numbers are all finite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @model_validator(mode="wrap")
    @classmethod
    def _with_few_faults(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        # Counting them is quick; to make an object of each would hold up everybody else.
        try:
            return handler(given)
        except ValidationError as error:
            if error.error_count() <= MOST_FAULTS:
                raise
            raise PydanticCustomError(
                "too_many_faults",
                "It is not as described in {count} places",
                {"count": error.error_count()},
            ) from None
