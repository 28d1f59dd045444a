import { randomInt } from 'node:crypto'
import { toSlug } from '#app/lib/slug.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { OnlineSale } from '../fields.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const secret = () => Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')

/**
 * The last part of the address of a product: its name, and a number if it is taken. By link only, nobody can guess it.
 */
export async function findFreeSlug(
  ctx: WriteCtx,
  { name, onlineSale }: { name: string; onlineSale?: OnlineSale | undefined },
): Promise<string> {
  const slug = toSlug(name).slice(0, 60).replace(/-$/, '') || 'product'
  if (onlineSale === 'link') return `${slug}-${secret()}`
  const rows = await ctx.query<{ slug: string }>({
    name: 'billing.slugs',
    text: 'select slug from product where coach_id = $1 and starts_with(slug, $2)',
    values: [ctx.coachId, slug],
  })
  const taken = new Set(rows.map((row) => row.slug))
  let number = 1
  const numbered = () => (number === 1 ? slug : `${slug}-${number}`)
  while (taken.has(numbered())) number++
  return numbered()
}
