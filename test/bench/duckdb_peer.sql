CREATE MACRO number(cell) AS TRY_CAST(cell AS BIGINT);
CREATE MACRO total(cell) AS coalesce(TRY_CAST(cell AS INTEGER), 0);
CREATE MACRO day(cell) AS
  date_diff('day', DATE '1970-01-01', try_strptime(substr(cell, 1, 8), '%Y%m%d')::DATE);
CREATE MACRO fold(cell) AS trim(regexp_replace(cell, '\s+', ' ', 'g'));
CREATE MACRO flag(cell) AS CASE cell WHEN 'Y' THEN true WHEN 'N' THEN false END;
CREATE MACRO docket(prefix, number, status) AS CASE WHEN number IS NOT NULL
  THEN {prefix: prefix, number: TRY_CAST(number AS INTEGER), status: status} END;

CREATE TABLE inspected AS
SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, number(INSPECTION_ID) AS id, INSP_DATE AS day,
  REPORT_STATE AS state, total(INSP_LEVEL_ID) AS level, total(VIOL_TOTAL) AS viol,
  total(VEHICLE_VIOL_TOTAL) AS vv, total(VEHICLE_OOS_TOTAL) AS vo,
  total(DRIVER_VIOL_TOTAL) AS dv, total(DRIVER_OOS_TOTAL) AS oo,
  total(HAZMAT_VIOL_TOTAL) AS hv, total(HAZMAT_OOS_TOTAL) AS ho,
  HAZMAT_PLACARD_REQ IS NOT NULL OR hv > 0 OR ho > 0 AS hm, HAZMAT_PLACARD_REQ = 'Y' AS placarded,
  POST_ACC_IND = 'Y' AS crash, INSP_INTERSTATE = 'Y' AS interstate,
  date_diff('day', strptime(INSP_DATE, '%Y%m%d')::DATE, DATE '2026-10-03') AS ago
FROM read_csv('{inspections}', header = true, all_varchar = true)
WHERE INSP_DATE BETWEEN '20241004' AND '20261003' AND TRY_CAST(DOT_NUMBER AS INTEGER) > 0;

-- How many, and how many out of service; how many, and the days since the first and the last.
CREATE MACRO kind(counts, oos) AS
  [count(*) FILTER (counts), count(*) FILTER (counts AND oos > 0)];
CREATE MACRO span(counts, ago) AS CASE WHEN count(*) FILTER (counts) > 0
  THEN [count(*) FILTER (counts), max(ago) FILTER (counts), min(ago) FILTER (counts)] END;

-- Of a carrier's inspections the most recent 50 are listed one by one.
CREATE TABLE insp AS
SELECT dot, count(*) AS total, max(day) AS last, sum(viol)::BIGINT AS violations,
  kind(level IN (1, 2, 5, 6), vo) AS vehicle, kind(level IN (1, 2, 3, 6), oo) AS driver,
  kind(level BETWEEN 1 AND 6 AND hm, ho) AS hazmat,
  list(concat('[', ago, ',"', state, '",', level, ',', viol, ',', vv, ',', vo, ',', dv, ',', oo, ',',
    hv, ',', ho, ',', hm::INTEGER + 2 * crash::INTEGER, ']')::JSON
    ORDER BY day DESC, id DESC)[1:50] AS latest,
  span(interstate, ago) AS interstate, span(placarded, ago) AS placarded
FROM inspected GROUP BY dot;

-- Where there are more: how many, and how many out of service, by month, state and level.
CREATE TABLE listed AS
SELECT substr(day, 1, 6) AS month, *, vo + oo + ho > 0 AS oos
FROM inspected WHERE dot IN (SELECT dot FROM insp WHERE total > 50);

CREATE MACRO sums_by(name) AS TABLE
SELECT dot, list([key::VARCHAR, n::VARCHAR, o::VARCHAR] ORDER BY key) AS pairs FROM
  (SELECT dot, name AS key, count(*) AS n, count(*) FILTER (oos) AS o FROM listed GROUP BY ALL)
GROUP BY dot;

CREATE TABLE sums AS
SELECT dot, [m.pairs, s.pairs, l.pairs] AS sums FROM sums_by(month) m
  JOIN sums_by(state) s USING (dot) JOIN sums_by(level) l USING (dot);

CREATE TABLE carriers AS
SELECT TRY_CAST(DOT_NUMBER AS INTEGER) AS dot, fold(LEGAL_NAME) AS legal_name,
  fold(DBA_NAME) AS dba_name, fold(PHY_STREET) AS street, fold(PHY_CITY) AS city,
  PHY_STATE AS state, PHY_ZIP AS zip, nullif(PHY_COUNTRY, 'US') AS country,
  CASE WHEN [{mailing}] IS DISTINCT FROM [PHY_STREET, PHY_CITY, PHY_STATE, PHY_ZIP, PHY_COUNTRY]
    THEN [{mailing_folded}] END AS mailing,
  CASE WHEN UNDELIV_PHY = 'U' THEN true END AS undeliverable,
  day(CARRIER_MAILING_UND_DATE) AS mail_returned, regexp_replace(PHONE, '\D', '', 'g') AS phone,
  fold(BUSINESS_ORG_DESC) AS business_form, nullif(DUN_BRADSTREET_NO, '--') AS duns,
  STATUS_CODE AS status, CARRIER_OPERATION AS operation, CARSHIP AS roles, CLASSDEF AS classes,
  number(POWER_UNITS) AS power_units, [{vehicles}] AS vehicles,
  number(TOTAL_DRIVERS) AS drivers, [{driver_counts}] AS driver_counts, {cargo} AS cargo,
  fold(CRGO_CARGOOTHR_DESC) AS cargo_other, flag(HM_Ind) AS hazmat,
  number(MCS150_MILEAGE) AS mileage, number(MCS150_MILEAGE_YEAR) AS mileage_year,
  day(MCS150_DATE) AS mcs150_date, day(ADD_DATE) AS added, SAFETY_RATING AS rating,
  day(SAFETY_RATING_DATE) AS rating_date, REVIEW_TYPE AS review_type,
  day(REVIEW_DATE) AS review_date, TRY_CAST(RECORDABLE_CRASH_RATE AS DOUBLE) AS crash_rate,
  flag(PRIOR_REVOKE_FLAG) AS prior_revoked, number(PRIOR_REVOKE_DOT_NUMBER) AS prior_revoked_dot,
  list_filter([docket(DOCKET1PREFIX, DOCKET1, DOCKET1_STATUS_CODE),
    docket(DOCKET2PREFIX, DOCKET2, DOCKET2_STATUS_CODE),
    docket(DOCKET3PREFIX, DOCKET3, DOCKET3_STATUS_CODE)], lambda x: x IS NOT NULL) AS dockets
FROM read_csv('{census}', header = true, all_varchar = true);

CREATE VIEW carriers_shards AS
SELECT dot // 100 AS shard, '[' || string_agg(js, ',' ORDER BY dot) || ']' AS js FROM (
  SELECT c.dot AS dot, json_array(c.dot, {members}, CASE WHEN i.total IS NOT NULL THEN
    json_array(i.total, day(i.last), i.violations, i.vehicle, i.driver, i.hazmat, i.latest, sums,
      CASE WHEN c.operation IN ('B', 'C') THEN i.interstate END,
      CASE WHEN NOT c.hazmat THEN i.placarded END) END)::VARCHAR AS js
  FROM carriers c LEFT JOIN insp i USING (dot) LEFT JOIN sums USING (dot) WHERE c.dot > 0
) GROUP BY shard;

CREATE VIEW dockets_shards AS
SELECT shard, json_group_object(prefix, numbers)::VARCHAR AS js FROM (
  SELECT shard, prefix, json_group_object(number, dots) AS numbers FROM (
    SELECT number // 1000 AS shard, prefix, number, list(dot ORDER BY status = 'A' DESC,
      carrier = 'A' DESC, mcs150_date DESC, dot) AS dots
    FROM (SELECT dot, status AS carrier, mcs150_date, unnest(dockets, recursive := true) FROM carriers)
    WHERE number IS NOT NULL GROUP BY shard, prefix, number
  ) GROUP BY shard, prefix
) GROUP BY shard;
