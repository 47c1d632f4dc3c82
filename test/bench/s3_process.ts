/** An S3 server in memory as a process of its own: prints its address, runs until it is ended. */

import { print } from "../../pipeline/io.ts";
import { serveS3 } from "../pipeline/publish/s3_server.ts";

print(serveS3().url);
