import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { maxTestimonials, shownTestimonials } from '../fields.ts'
import { testimonial, type TestimonialRecord } from '../records.ts'

/** Newest first. */
export async function listTestimonials(ctx: Ctx, page: Page = {}): Promise<TestimonialRecord[]> {
  authorize(ctx, 'public-page:testimonial:read')
  return listNewest(ctx, {
    name: 'public-page.testimonials',
    select: testimonial.select,
    from: 'testimonial',
    where: { notDeleted: 'deleted_at is null' },
    ...page,
  })
}

/** In the order of the page. */
export async function listInOrder(ctx: Ctx): Promise<TestimonialRecord[]> {
  authorize(ctx, 'public-page:testimonial:read')
  return ctx.query<TestimonialRecord>({
    name: 'public-page.testimonials-in-order',
    text: `select ${testimonial.select} from testimonial where coach_id = $1 and deleted_at is null
      order by position, id limit ${maxTestimonials}`,
    values: [ctx.coachId],
  })
}

export type ShownTestimonial = { id: number; quote: string; name: string; role: string | null }

/** Those that the public page shows. Visitors see them, so without a permission. */
export async function listShown(ctx: Ctx): Promise<ShownTestimonial[]> {
  return ctx.query<ShownTestimonial>({
    name: 'public-page.shown-testimonials',
    text: `select id, quote, name, role from testimonial where coach_id = $1 and is_shown and deleted_at is null
      order by position, id limit ${shownTestimonials}`,
    values: [ctx.coachId],
  })
}

/** Throws not_found, also for one in the trash. */
export async function getTestimonial(ctx: Ctx, id: number): Promise<TestimonialRecord> {
  const row = await getTestimonialForEdit(ctx, id)
  if (!row) throw testimonial.notFound()
  const { version: _version, ...record } = row
  return record
}

/** The testimonial with its version, which the edit form sends back; null when it doesn't exist. */
export async function getTestimonialForEdit(
  ctx: Ctx,
  id: number,
): Promise<(TestimonialRecord & { version: number }) | null> {
  authorize(ctx, 'public-page:testimonial:read')
  const [row] = await ctx.query<TestimonialRecord & { version: number }>({
    name: 'public-page.testimonial',
    text: `select ${testimonial.select}, version from testimonial
      where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}
