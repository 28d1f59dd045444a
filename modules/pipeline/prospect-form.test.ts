import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { expect, test } from 'vitest'
import { deleteProduct } from '#modules/billing/services/products.ts'
import { contextFor, createCoach, createProduct, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { action } from './routes/pipeline.tsx'
import { deleteStage } from './services/stages.ts'
import { createProspect, createStage } from './e2e/factories.ts'

createTestApp()

test.each(['add', 'edit'])(
  '%s: a stage or product that another tab deleted is an error of its field',
  async (intent) => {
    const coach = await createCoach()
    const [{ id, stageId }, stage, product] = [
      await createProspect({ coach }),
      await createStage({ coach }),
      await createProduct({ coach }),
    ]
    await inTenant(coach, async (ctx) => {
      await deleteStage(ctx, stage.id)
      await deleteProduct(ctx, product.id)
    })
    const ctx = await contextFor(coach)
    const submit = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({
        intent,
        id: String(id),
        version: '1',
        name: 'Ada',
        openedIn: String(stageId),
        ...fields,
      })
      const request = new Request('http://localhost/pipeline', { method: 'POST', body })
      const context = { account: ctx.account, coach: () => ctx, write: ctx.write } as unknown as AppLoadContext
      const response = await action({ request, params: {}, context } as ActionFunctionArgs)
      return (response as { data: { result: { error: object } } }).data.result.error
    }
    const message = ['This has been deleted. Choose another.']
    expect(await submit({ stageId: String(stage.id) })).toEqual({ stageId: message })
    expect(await submit({ stageId: String(stageId), productId: String(product.id) })).toEqual({ productId: message })
  },
)
