"""Routes of the clusters API, under /api/v1/o/<slug>/."""

from django.urls import path

from portal.clusters import api

ONE = "clusters/<uuid:cluster_id>"

urlpatterns = [
    path("clusters", api.ClusterList.as_view(), name="api-clusters"),
    path(ONE, api.ClusterOne.as_view(), name="api-cluster"),
    path(f"{ONE}/restore", api.ClusterRestore.as_view(), name="api-cluster-restore"),
    path(f"{ONE}/services", api.ServiceList.as_view(), name="api-services"),
    path(f"{ONE}/services/<uuid:service_id>", api.ServiceOne.as_view(), name="api-service"),
]
