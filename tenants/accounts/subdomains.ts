import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import type { Config } from '../config.ts'
import type { WriteCtx } from '../context.ts'

const releasedDays = 90
/** A coach must not collect reserved names by moving again and again. */
const maxReleased = 5

/** Hosts and pages of a platform, and the hosts that mail programs and browsers look for by themselves. */
const reservedNames = `
  www www2 web api app apps admin administrator root hostmaster postmaster webmaster abuse noreply localhost example
  login logon signin signup register logout signout auth oauth sso saml idp identity secure security ssl tls
  account accounts user users my profile password reset verify verification confirm session
  billing invoice invoices payment payments pay checkout subscription upgrade settings dashboard platform portal
  console help helpdesk support status health contact info about blog news docs legal terms privacy
  mail mails email webmail smtp smtps imap imaps pop pop3 mx mx1 mx2 relay mailer exchange outlook
  autodiscover autoconfig mtasts wpad isatap
  ftp sftp ssh vpn dns ns ns1 ns2 ns3 ns4 ntp ldap proxy gateway
  assets static cdn media files uploads images img downloads
  dev test testing stage staging sandbox demo beta preview internal intranet local
  db database postgres git ci monitor metrics`
  .trim()
  .split(/\s+/)

const lookAlikes: Record<string, string> = { 0: 'o', 1: 'l', i: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }

/** A name as a reader may take it: without hyphens, and one letter for all that look like it. */
const toSkeleton = (name: string): string =>
  name
    .replaceAll('-', '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[\di]/g, (character) => lookAlikes[character] ?? character)

const reservedSkeletons = new Set(reservedNames.map(toSkeleton))

/**
 * Throws validation_failed for a subdomain that is reserved, looks like a reserved one or consists of several ('sign-in',
 * 'l0gin', 'secure-login'), or that looks like the platform's own ('attune-login', 'my-attune').
 */
export function checkSubdomain({ platformName, origin }: Pick<Config, 'platformName' | 'origin'>, name: string): void {
  // `xn--` begins an international name, which may look like any other.
  if (/^..--/.test(name) || hasOnlyWords(toSkeleton(name), reservedSkeletons)) throw reject('This name is reserved')
  const platform = toSkeleton(toHostLabel(platformName))
  const hostLabels = new URL(origin).hostname.split('.').slice(0, -1).map(toSkeleton)
  const ownNames = new Set([...reservedSkeletons, ...hostLabels, platform].filter(Boolean))
  if (hasOnlyWords(toSkeleton(name), ownNames) || (platform.length > 3 && hasWords(name, platform)))
    throw reject(`This name looks like an address of ${platformName}`)
}

const reject = (message: string): AppError => new AppError('validation_failed', message, { field: 'subdomain' })

const toHostLabel = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')

/** Whether `text` is a sequence of one or more of `words`. */
function hasOnlyWords(text: string, words: Set<string>): boolean {
  const ends = [0]
  for (let end = 1; end <= text.length; end++)
    if (ends.some((start) => words.has(text.slice(start, end)))) ends.push(end)
  return ends.at(-1) === text.length
}

/** Whether one or more words of `name` in a row look like `skeleton`. */
function hasWords(name: string, skeleton: string): boolean {
  const words = name.split('-')
  return words.some((_, start) =>
    words.some((__, end) => toSkeleton(words.slice(start, end + 1).join('')) === skeleton),
  )
}

/** Throws conflict if another coach gave the subdomain up less than 90 days ago: links may still lead there. */
export async function claimSubdomain(ctx: WriteCtx, subdomain: string): Promise<void> {
  const [row] = await ctx.query<{ isHeld: boolean }>({
    name: 'subdomain.is-held',
    text: 'select is_subdomain_held($2, $1, $3) as "isHeld"',
    values: [ctx.coachId, subdomain, ctx.now()],
  })
  if (row!.isHeld) {
    const message = `Another practice used this address in the last ${releasedDays} days. Choose another one`
    throw new AppError('conflict', message, { field: 'subdomain' })
  }
  await ctx.query({
    name: 'subdomain.take-back',
    text: 'delete from released_subdomain where coach_id = $1 and subdomain = $2',
    values: [ctx.coachId, subdomain],
  })
}

/** Keeps a subdomain that the coach gives up: for 90 days only they may take it. */
export async function releaseSubdomain(ctx: WriteCtx, subdomain: string): Promise<void> {
  const expiresAt = new Date(ctx.now().getTime() + releasedDays * dayMs)
  await ctx.query({
    name: 'subdomain.release',
    text: `insert into released_subdomain (coach_id, subdomain, expires_at) values ($1, $2, $3)
      on conflict (coach_id, subdomain) do update set expires_at = excluded.expires_at`,
    values: [ctx.coachId, subdomain, expiresAt],
  })
  await ctx.query({
    name: 'subdomain.forget',
    text: `delete from released_subdomain where coach_id = $1 and subdomain not in (
      select subdomain from released_subdomain where coach_id = $1 and expires_at > $2
        order by expires_at desc, subdomain limit $3)`,
    values: [ctx.coachId, ctx.now(), maxReleased],
  })
}
