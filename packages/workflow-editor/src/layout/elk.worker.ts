// In a worker this listens by itself for what `elk-api` sends.
import "elkjs/lib/elk-worker.min.js";
