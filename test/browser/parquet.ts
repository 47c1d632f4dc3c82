/** What a page loads to read Parquet files; bundled for the test. */

export { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
export { compressors } from "hyparquet-compressors";
