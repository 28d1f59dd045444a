// Exit code 0 when the product on PORT answers: for Docker's HEALTHCHECK and the like.
import { get } from 'node:http'

const request = get(
  { host: '127.0.0.1', port: process.env.PORT || 3000, path: '/healthz', timeout: 2_500 },
  (response) => {
    process.exit(response.statusCode === 200 ? 0 : 1)
  },
)
request.on('timeout', () => request.destroy(new Error('no answer')))
request.on('error', () => process.exit(1))
