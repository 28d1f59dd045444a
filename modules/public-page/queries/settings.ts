import type { Ctx } from '#tenants/context.ts'

/** Whether the public page has the contact form. Visitors see it, so without a permission. */
export async function hasContactForm(ctx: Ctx): Promise<boolean> {
  const [found] = await ctx.query<{ isOn: boolean }>({
    name: 'public-page.has-contact-form',
    text: 'select has_contact_form as "isOn" from public_page_settings where coach_id = $1',
    values: [ctx.coachId],
  })
  return found?.isOn ?? true
}
