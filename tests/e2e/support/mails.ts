import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { OutboxEmail } from '#tenants/mail.ts'
import { expect, type TestApp } from './test-app.ts'

/** Waits for the newest email to `email`, of `subject` if given, which a job writes. */
export async function findMail({ platform }: TestApp, email: string, subject?: string): Promise<OutboxEmail> {
  const folder = path.join(platform.config.dataDir, 'outbox')
  let found: OutboxEmail | undefined
  await expect(async () => {
    const names = (await readdir(folder))
      .filter((name) => !name.startsWith('.'))
      .sort()
      .reverse()
    const mails = await Promise.all(
      names.map(async (name): Promise<OutboxEmail> => JSON.parse(await readFile(path.join(folder, name), 'utf8'))),
    )
    found = mails.find((mail) => mail.to === email && (subject === undefined || mail.subject === subject))
    expect(found).toBeDefined()
  }).toPass({ timeout: 20_000 })
  return found!
}

export const extractLink = ({ text }: OutboxEmail): string => /https?:\/\/\S+/.exec(text)![0]
