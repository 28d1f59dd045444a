import { authorize, type WriteCtx } from '#tenants/context.ts'

export async function switchContactForm(ctx: WriteCtx, { isOn }: { isOn: boolean }): Promise<void> {
  authorize(ctx, 'public-page:contact-message:write')
  await ctx.query({
    name: 'public-page.switch-contact-form',
    text: `insert into public_page_settings (coach_id, has_contact_form, created_at, updated_at) values ($1, $2, $3, $3)
      on conflict (coach_id) do update
        set has_contact_form = excluded.has_contact_form, updated_at = excluded.updated_at`,
    values: [ctx.coachId, isOn, ctx.now()],
  })
}

/** Makes changes of the number and the order of testimonials wait for each other. */
export async function lockSettings(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'public-page.lock-settings',
    text: `insert into public_page_settings (coach_id, created_at, updated_at) values ($1, $2, $2)
      on conflict (coach_id) do update set updated_at = excluded.updated_at`,
    values: [ctx.coachId, ctx.now()],
  })
}
