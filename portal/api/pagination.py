"""Paging of lists in the API."""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.response import Response
from rest_framework.views import APIView


class Pages(PageNumberPagination):
    """`?page=` and `?page_size=` up to 200."""

    page_size_query_param = "page_size"
    max_page_size = 200


class PagedView(APIView):
    """A view with a list; the attribute also tells the OpenAPI description about the pages."""

    pagination_class: type[BasePagination] = Pages

    def paged(self, rows: Any, serializer: Any) -> Response:
        """The wanted page of a queryset in a given order, written by a serializer class."""
        pages = Pages()
        chosen: Any = pages.paginate_queryset(rows, self.request, view=self)
        return pages.get_paginated_response(serializer(chosen, many=True).data)
