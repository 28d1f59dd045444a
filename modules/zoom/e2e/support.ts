import type { FakeZoom } from '#tests/fakes/zoom/server.ts'
import { contextFor, type Coach } from '#tests/support/factories.ts'
import type { ConnectFailure } from '../connect-result.ts'
import { beginConnect, finishConnect } from '../services/connect.ts'

/** Connects as a coach does who agrees at Zoom. */
export async function connect(
  coach: Coach,
  zoom: FakeZoom,
  consent: { email: string; scopes?: string[] },
): Promise<ConnectFailure | null> {
  const ctx = await contextFor(coach)
  const asked = new URL(await beginConnect(ctx))
  return finishConnect(ctx, readReturn(zoom.agree(asked.searchParams, consent)))
}

/** The parameters with which Zoom sends the coach back. */
export function readReturn(address: string) {
  const { searchParams } = new URL(address)
  return { code: searchParams.get('code'), state: searchParams.get('state')!, error: searchParams.get('error') }
}
