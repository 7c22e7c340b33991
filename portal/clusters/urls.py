"""Routes of this app, under /o/<slug>/clusters/."""

from django.urls import URLPattern, path

from portal.clusters import views

app_name = "clusters"
ONE = "<uuid:cluster_id>"
SERVICE = f"{ONE}/services/<uuid:service_id>"
urlpatterns: list[URLPattern] = [
    path("", views.index, name="list"),
    path("new", views.new, name="new"),
    path(f"{ONE}/", views.detail, name="detail"),
    path(f"{ONE}/edit", views.edit, name="edit"),
    path(f"{ONE}/archive", views.archive, name="archive"),
    path(f"{ONE}/restore", views.restore, name="restore"),
    path(f"{ONE}/services/add", views.service_add, name="service-add"),
    path(f"{SERVICE}/edit", views.service_edit, name="service-edit"),
    path(f"{SERVICE}/remove", views.service_remove, name="service-remove"),
]
