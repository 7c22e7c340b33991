"""DRF plumbing shared by all apps: authentication, error shape, paging, throttling."""
