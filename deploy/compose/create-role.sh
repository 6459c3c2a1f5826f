#!/bin/sh
# Creates the role and the database of Parley when PostgreSQL starts for the first time. The role owns the database, and is no superuser.
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "password=$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE parley LOGIN PASSWORD :'password';
CREATE DATABASE parley OWNER parley;
SQL
