import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import type { Config } from '../config.ts'
import type { WriteCtx } from '../context.ts'
import type { TenantTransaction } from '../platform.ts'

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
 * Throws validation_failed for a subdomain that is reserved, looks like a reserved one or consists of several
 * ('sign-in', 'l0gin', 'secure-login'), or that looks like the platform's own ('attune-login', 'my-attune', 'attunee',
 * 'attune24').
 */
export function checkSubdomain(config: Pick<Config, 'platformName' | 'origin'>, name: string): void {
  // `xn--` begins an international name, which may look like any other.
  if (/^..--/.test(name) || hasOnlyWords(toSkeleton(name), reservedSkeletons)) throw reject('This name is reserved')
  if (hasOnlyWords(toSkeleton(name), listOwnNames(config)) || looksLikePlatform(config, name))
    throw reject(`This name looks like an address of ${config.platformName}`)
}

/** Whether a part of a host name looks like the platform's own. */
export function looksLikePlatform(config: Pick<Config, 'platformName' | 'origin'>, label: string): boolean {
  const platform = toSkeleton(toHostLabel(config.platformName))
  return (
    (platform.length > 3 && hasWords(label, platform)) ||
    (platform.length > 4 && isAlmost(label, platform, (word) => hasOnlyWords(word, listOwnNames(config))))
  )
}

function listOwnNames({ platformName, origin }: Pick<Config, 'platformName' | 'origin'>): Set<string> {
  const hostLabels = new URL(origin).hostname.split('.').slice(0, -1).map(toSkeleton)
  return new Set([...reservedSkeletons, ...hostLabels, toSkeleton(toHostLabel(platformName))].filter(Boolean))
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
  return words.some((_, start) => words.some((__, end) => looksLike(words.slice(start, end + 1).join(''), skeleton)))
}

/** Ignores a number at the beginning or the end. */
const looksLike = (word: string, skeleton: string): boolean =>
  [word, word.replace(/^\d+|\d+$/g, '')].some((text) => toSkeleton(text) === skeleton)

/**
 * Whether `name` is `skeleton` with one letter more, less or changed: by itself, or beside words that are `isOwn`.
 * Beside another word, as in 'attuned-living', it is a word of its own.
 */
function isAlmost(name: string, skeleton: string, isOwn: (word: string) => boolean): boolean {
  const isNear = (word: string) => isOneEditApart(toSkeleton(word), skeleton)
  const others = name.split('-').filter((word) => !isNear(word))
  const hasNear = others.length < name.split('-').length
  return isNear(name.replaceAll('-', '')) || (hasNear && others.every((word) => isOwn(toSkeleton(word))))
}

function isOneEditApart(first: string, second: string): boolean {
  const [short, long] = first.length <= second.length ? [first, second] : [second, first]
  if (long.length - short.length > 1) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  const rest = short.length === long.length ? same + 1 : same
  return short.slice(rest) === long.slice(same + 1)
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

/**
 * Keeps the subdomains of a coach who is erased until 90 days after the coach was removed or gave them up: as hashes,
 * which tell nothing about the coach.
 */
export async function reserveErasedSubdomains(tx: TenantTransaction, coachId: number): Promise<void> {
  const names = await tx.query<{ subdomain: string; expiresAt: Date }>({
    name: 'subdomain.of-erased',
    text: `select subdomain, removed_at + $2::int * interval '1 day' as "expiresAt" from account
        where id = $1 and subdomain is not null and removed_at is not null
      union all
      select subdomain, expires_at from released_subdomain where coach_id = $1`,
    values: [coachId, releasedDays],
  })
  for (const { subdomain, expiresAt } of names)
    await tx.query({
      name: 'subdomain.reserve-erased',
      text: `insert into erased_subdomain (name_hash, expires_at) values ($1, $2)
        on conflict (name_hash) do update set expires_at = greatest(erased_subdomain.expires_at, excluded.expires_at)`,
      values: [hashSubdomain(subdomain), expiresAt],
    })
}

/** Lets anybody take the subdomain of an erased coach. */
export async function releaseErasedSubdomain(tx: TenantTransaction, subdomain: string): Promise<void> {
  await tx.query({
    name: 'subdomain.release-erased',
    text: 'delete from erased_subdomain where name_hash = $1',
    values: [hashSubdomain(subdomain)],
  })
}

/** As `is_subdomain_held` does. */
const hashSubdomain = (subdomain: string): string => createHash('sha256').update(subdomain).digest('hex')
