import { defineTrigger } from "@oven/module-registry";
import { BUCKET_SAMPLE, BucketConfigSchema } from "../bucket/bucket-config.ts";
import { lookAtBucket } from "../bucket/look-at-bucket.ts";

export const bucketTrigger = defineTrigger({
  id: "bucket",
  title: "File in a bucket (S3)",
  docs: "Starts for each new or changed object in a bucket of Amazon S3 or a store that speaks its protocol. What arrives is {bucket, key, etag, sizeBytes, lastModified, file}.",
  config: BucketConfigSchema,
  sample: BUCKET_SAMPLE,
  arriving: Object.keys(BUCKET_SAMPLE),
  clock: {
    isSlow: true,
    first: (_config, after) => after,
    fire: lookAtBucket,
  },
});
