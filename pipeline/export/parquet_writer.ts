/**
 * The only module that imports `hyparquet-writer`. What exports loads it by address when a build needs it, so
 * that a service, which has the build of its sample, neither fetches nor locks the package.
 *
 * @module
 */

export { ByteWriter, ParquetWriter } from "hyparquet-writer";
