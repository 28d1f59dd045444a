import type { FakeGoogle } from '#tests/fakes/google/server.ts'
import { contextFor, inTenant, type Coach } from '#tests/support/factories.ts'
import type { ConnectResult } from '../services/connect.ts'
import { beginConnect, finishConnect } from '../services/connect.ts'
import { markAllChanged } from '../services/links.ts'
import { runSync } from '../services/run.ts'
import type { GoogleError } from '../vendor/errors.ts'

type Consent = { email: string; scopes?: string[]; withMeet?: boolean }

/** Connects as a coach does who agrees at Google. */
export async function connect(coach: Coach, google: FakeGoogle, consent: Consent): Promise<ConnectResult> {
  const ctx = await contextFor(coach)
  const asked = new URL(await beginConnect(ctx, { inPopup: true, withMeet: consent.withMeet ?? false }))
  return finishConnect(ctx, readReturn(google.oauth.agree(asked.searchParams, consent)))
}

/** The parameters with which Google sends the coach back. */
export function readReturn(address: string) {
  const { searchParams } = new URL(address)
  return { code: searchParams.get('code'), state: searchParams.get('state')!, error: searchParams.get('error') }
}

/** Does what the jobs of the queues do: appointments may have changed, and Google's calendars too. */
export async function sync(coach: Coach): Promise<GoogleError | null> {
  await inTenant(coach, markAllChanged)
  return runSync(await contextFor(coach))
}
