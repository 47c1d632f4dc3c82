/**
 * The only module that imports `hyparquet-writer`. It is imported by a computed URL, and only by builds that
 * export, so that the service, which includes the build for its sample, neither downloads nor locks the package.
 *
 * @module
 */

export { ByteWriter, ParquetWriter } from "hyparquet-writer";
