import { answerLeavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createProduct, createPurchase } from '#tests/support/factories.ts'
import { NewContract } from '../forms.ts'
import { createContract } from '../services/contracts.ts'
import { sendContract } from '../services/sending.ts'
import { createTemplate } from '../services/templates.ts'

test('a contract is written, sent, signed on a phone without scripts, then by the coach, and verified', async ({
  page,
  app,
  newContext,
}) => {
  test.slow()
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace <b>Hopper</b>' }] })
  const [grace] = await getClients(coach)
  await coach.signIn(page.context())
  await page.setViewportSize(phone)

  // Write a template, with a placeholder that there isn't, and a contract from it.
  await page.goto('/contracts/templates?dialog=add')
  await waitForHydration(page)
  const add = page.getByRole('dialog', { name: 'Add Template' })
  await add.getByLabel('Name').fill('Our agreement')
  await add.getByRole('button', { name: 'Add Template' }).click()
  await expect(page.getByRole('heading', { name: 'Our agreement' })).toBeVisible()
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('{{client}} pays {{price}} for {{product}}.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('There is no placeholder {{client}}.')).toBeVisible()
  await text.fill('{{client name}} pays {{price}} for {{product}}.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Template updated')).toBeVisible()
  await page.getByRole('link', { name: 'Preview' }).click()
  await expect(page.getByText('Grace Hopper pays $1,500.00 for Ten sessions.')).toBeVisible()
  await page.goto(`/contracts?dialog=add&client=${grace!.id}`)
  await waitForHydration(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Add Contract' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Our agreement')

  // The values that the text needs are asked for before it is sent.
  const send = async () => {
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send Contract' }).click()
  }
  await send()
  await expect(page.getByText('Enter what the text needs first: Price, Product.').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByLabel('Product', { exact: true }).fill('Ten sessions')
  await page.getByLabel('Price', { exact: true }).fill('1500')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Contract updated')).toBeVisible()
  await send()
  await expect(page.getByText('Grace <b>Hopper</b> pays $1,500.00 for Ten sessions.')).toBeVisible()

  // The client reads and signs it on a phone, without scripts.
  const link = extractLink(await findMail(app, grace!.email))
  const plain = await (await newContext({ javaScriptEnabled: false, viewport: phone })).newPage()
  await plain.goto(link)
  await expect(plain.getByText('pays $1,500.00')).toBeHidden()
  await plain.getByRole('button', { name: 'Read the contract' }).click()
  await expect(plain.getByText('Grace <b>Hopper</b> pays $1,500.00 for Ten sessions.')).toBeVisible()
  await plain.getByRole('button', { name: 'Sign contract' }).click()
  await expect(plain.getByText('Enter your full name')).toBeVisible()
  await expect(plain.getByText('Tick this box to sign')).toBeVisible()
  await plain.getByLabel('Your full name').fill('Grace Hopper')
  await plain.getByRole('checkbox').check()
  await plain.getByRole('button', { name: 'Sign contract' }).click()
  await expect(plain.getByText('You signed this contract on')).toBeVisible()
  await expect(plain.getByRole('button', { name: 'Sign contract' })).toBeHidden()

  // The coach draws their signature: a dot is none.
  await page.goto('/dashboard')
  await page.getByRole('list', { name: 'Contracts to Sign' }).getByRole('link', { name: 'Our agreement' }).click()
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Sign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign Contract' })
  const canvas = dialog.getByRole('img', { name: 'Box to draw your signature in' })
  await canvas.click({ position: { x: 50, y: 40 } })
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Sign Contract' }).click()
  await expect(dialog.getByText('Draw your whole signature')).toBeVisible()
  await dialog.getByRole('button', { name: 'Clear drawing' }).click()
  const box = (await canvas.boundingBox())!
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  for (let step = 1; step <= 16; step++)
    await page.mouse.move(box.x + 20 + step * 12, box.y + box.height * (step % 2 ? 0.3 : 0.7))
  await page.mouse.up()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Sign Contract' }).click()
  await expect(page.getByRole('list', { name: 'Signatures' }).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Audit trail' })).toContainText('Completed')

  // Both have the copy; anyone with the code sees the state, and nothing of the text.
  await plain.reload()
  await expect(plain.getByRole('link', { name: 'Download PDF' })).toBeVisible()
  const verify = await page.getByRole('link', { name: 'Page for anyone with the code' }).getAttribute('href')
  await plain.goto(verify!)
  await expect(plain.getByRole('heading', { name: 'This contract is signed by both sides.' })).toBeVisible()
  await expect(plain.getByText('Ten sessions')).toBeHidden()
  await page.goto(`/clients/${grace!.id}`)
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Contract signed by the client')
})

test('a product requires a contract, which the client gets with a purchase', async ({ page, app }) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const product = await createProduct({ coach, name: 'Ten sessions', price: '1500.00' })
  await inTenant(coach, (tx) => createTemplate(tx, { name: 'Agreement', body: '{{product}} for {{price}}.' }))
  await coach.signIn(page.context())
  await page.goto('/products')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Actions for Ten sessions' }).click()
  await page.getByRole('menuitem', { name: 'Require a Contract' }).click()
  const dialog = page.getByRole('dialog', { name: 'Require a Contract' })
  await expect(dialog.getByLabel('Product')).toHaveValue(String(product.id))
  await dialog.getByRole('button', { name: 'Require Contract' }).click()
  const required = page.getByRole('list', { name: 'Sent automatically' })
  await expect(required).toContainText('With Ten sessions, $1,500')
  await createPurchase({ coach, clientId: grace!.id, productId: product.id, amount: 150_000 })
  const mail = await findMail(app, grace!.email, 'Please sign: Agreement')
  expect(extractLink(mail)).toContain('/contract/')
  await required.getByRole('button', { name: /^Remove Agreement/ }).click()
  await expect(required).toBeHidden()
})

test('the button that copies a link says so until there is another link', async ({ app, newContext }) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const { id } = await inTenant(coach, async (ctx) => {
    const input = NewContract.parse({ clientId: grace!.id, title: 'Agreement', body: 'We agree.' })
    return sendContract(ctx, (await createContract(ctx, input)).id)
  })
  const context = await newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto(`/contracts/${id}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.getByRole('button', { name: 'Email Link' }).click()
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
})

test('a contract isn’t sent without the changes that are on the screen', async ({ page, app }) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const input = NewContract.parse({ clientId: grace!.id, title: 'Agreement', body: 'We agree.' })
  const { id } = await inTenant(coach, (ctx) => createContract(ctx, input))
  await coach.signIn(page.context())
  await page.goto(`/contracts/${id}`)
  await waitForHydration(page)
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('We agree, and pay in advance.')
  await page.getByRole('link', { name: 'Preview' }).click()
  await answerLeavePrompt(page, 'Keep editing')
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Send Contract' })
  await expect(dialog).toContainText('Your changes aren’t saved, and the contract would be sent without them.')
  await expect(dialog.getByRole('button', { name: 'Send Contract' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(text).toHaveValue('We agree, and pay in advance.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Contract updated')).toBeVisible()
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await dialog.getByRole('button', { name: 'Send Contract' }).click()
  await expect(page.getByText('We agree, and pay in advance.')).toBeVisible()
})
