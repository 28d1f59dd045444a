import type { TimeFormat } from '#app/lib/clock.ts'
import type { QuickAction } from '#modules/core/manifest.ts'

/** A link of the sidebar. `icon` is a name of nav-icons.ts; a badge of 0 is not shown. */
export type NavEntry = { label: string; to: string; otherPaths?: string[]; icon: string; badge: number }

/** Data of the shell around every signed-in page. */
export type ShellData = {
  main: NavEntry[]
  lower: NavEntry[]
  quickActions: QuickAction[]
  usage: { clients: number; limit: number | null }
  user: { name: string; email: string; image: string | null }
  timeFormat: TimeFormat
  currency: string
  /** The account's address until the coach has confirmed it, then null. */
  unverifiedEmail: string | null
  /** Notices as markup of the server, which needs no code in the browser; null without any. */
  bars: string | null
  /** The coach's own host, such as `ada.attune.com`. Null without a subdomain, and on that host itself. */
  ownHost: string | null
  /** The address of the coach's public page. Null without a subdomain. */
  publicPage: string | null
  poweredBy: boolean
}

/** The name of the page /upgrade: without a limit there is nothing to upgrade to. */
export const getPlanPageName = (limit: number | null): string => (limit === null ? 'Plan' : 'Upgrade Plan')
