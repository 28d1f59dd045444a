import { searchKey } from '#db/search-sql.ts'
import { authorize, type Ctx } from '#tenants/context.ts'

type Person = { id: number; name: string; email: string; phone: string | null }
export type Duplicate = { id: number; name: string; email: string; same: 'email' | 'phone' | 'name' }

/** Shorter numbers are extensions, or no numbers at all. */
const minDigits = 7

/**
 * Clients outside the trash who may be the same person: with the same email address, phone number or name. Ignores
 * case and accents, and everything but the digits of phone numbers. At most five, the most likely first.
 */
export async function listDuplicates(ctx: Ctx, { id, name, email, phone }: Person): Promise<Duplicate[]> {
  authorize(ctx, 'crm:client:read')
  const digits = (phone ?? '').replaceAll(/\D/g, '')
  return ctx.query<Duplicate>({
    name: 'crm.duplicates',
    text: `select id, name, email, same from (
        select id, name, email, archived_at, case when lower(email) = lower($3) then 'email'
          when $4 <> '' and regexp_replace(phone, '\\D', '', 'g') = $4 then 'phone'
          when split_part(search_text, chr(10), 1) = ${searchKey('$5')} then 'name' end as same
        from client where coach_id = $1 and id <> $2 and deleted_at is null) people
      where same is not null
      order by array_position(array['email', 'phone', 'name'], same), archived_at is not null, id limit 5`,
    values: [ctx.coachId, id, email, digits.length < minDigits ? '' : digits, name],
  })
}
