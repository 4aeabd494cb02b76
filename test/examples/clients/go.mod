module example.com/ramp-sandbox-clients

go 1.19
