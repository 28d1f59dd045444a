// Exits with 0 if the server on PORT is healthy. For Docker's HEALTHCHECK.
import { get } from 'node:http'

const request = get(
  { host: '127.0.0.1', port: process.env.PORT || 3000, path: '/healthz', timeout: 2_500 },
  (response) => {
    process.exit(response.statusCode === 200 ? 0 : 1)
  },
)
request.on('timeout', () => request.destroy(new Error('timeout')))
request.on('error', () => process.exit(1))
