import { withQuery } from '#app/lib/url.ts'

export const signInPath = (next?: string): string =>
  withQuery('/portal/sign-in', { next: next === '/portal' ? null : (next ?? null) })
