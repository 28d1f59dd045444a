import type { LoaderFunctionArgs } from '@remix-run/node'
import { respondWithFeed } from '../calendar-feed/responses.server.ts'

/** The file that calendar programs subscribe to. */
export const loader = ({ context, request, params }: LoaderFunctionArgs) =>
  respondWithFeed(context, request, params.token ?? '')
