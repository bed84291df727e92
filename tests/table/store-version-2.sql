BEGIN TRANSACTION;
CREATE TABLE events (match VARCHAR(80) NOT NULL REFERENCES matches (id), number INTEGER NOT NULL, line TEXT NOT NULL, written DOUBLE PRECISION NOT NULL, PRIMARY KEY (match, number));
INSERT INTO "events" VALUES('2026-11-21-153919-meet-fate-7200ea',1,'{"schema": 1, "n": 1, "event": "roll", "faces": ["1", "2", "3", "4", "5", "6"]}',1.79527555985522890087e+09);
CREATE TABLE matches (id VARCHAR(80) PRIMARY KEY, place VARCHAR(80) NOT NULL, game VARCHAR(40) NOT NULL, players TEXT NOT NULL, head TEXT NOT NULL, began DOUBLE PRECISION NOT NULL, touched DOUBLE PRECISION NOT NULL, state VARCHAR(20) NOT NULL, setup TEXT NOT NULL, source VARCHAR(200));
INSERT INTO "matches" VALUES('2026-11-21-153919-meet-fate-7200ea','','meet-fate','["Alice", "Bob"]','{"schema": 1, "match": "meet-fate", "rules": 1, "players": ["Alice", "Bob"], "options": {"set_values.small-straight": 30, "set_values.large-straight": 40, "set_values.full-house": 25, "set_values.five-of-a-kind": 50, "set_values.six-of-a-kind": 100, "set_values.trips": 45, "full_house": "A", "f8_mode": "display", "pairs_distinct": false, "upper_bonus": 0, "upper_bonus_from": 108}}',1.79527555984705972664e+09,1.79527555985522890087e+09,'running','{"set": "fate", "camera": "0"}',NULL);
CREATE TABLE tableside (version INTEGER NOT NULL);
INSERT INTO "tableside" VALUES(2);
COMMIT;
