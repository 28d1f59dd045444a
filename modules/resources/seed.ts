import { Readable } from 'node:stream'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { withContent } from '#tenants/files/files.ts'
import { listFiles } from './queries/files.ts'
import { findOpenShare } from './queries/shares.ts'
import { createFromContent, createLink } from './services/files.ts'
import { createFolder } from './services/folders.ts'
import { createShare, openShare } from './services/shares.ts'

type DemoFile = { name: string; tags: string[]; text: string }

const demoFiles: Record<DemoPractice['which'], { folder: string; files: DemoFile[]; link: string }> = {
  first: {
    folder: 'Worksheets',
    link: 'https://www.example.com/articles/first-ninety-days',
    files: [
      {
        name: 'Values worksheet.txt',
        tags: ['first session'],
        text:
          'Values worksheet\n\nWrite down three moments of the last year in which you were proud of yourself.\n' +
          'Which value does each of them show? Which of these values has your present work room for?\n',
      },
      {
        name: 'Weekly review.txt',
        tags: ['habit'],
        text: 'Weekly review\n\n1. What went well?\n2. What took more energy than it gave?\n3. One thing for next week.\n',
      },
      {
        name: 'Salary conversation, preparation.txt',
        tags: ['career'],
        text: 'Before the conversation\n\nYour number, the reasons for it, and the sentence you begin with.\n',
      },
      {
        name: 'Energy diary.txt',
        tags: ['habit', 'first session'],
        text: 'Energy diary\n\nThree times a day, from 1 to 10, and what you were doing.\n',
      },
    ],
  },
  second: {
    folder: 'Handouts',
    link: 'https://www.example.com/breathing',
    files: [
      { name: 'Breathing, four minutes.txt', tags: ['practice'], text: 'In for four, out for six. Four minutes.\n' },
    ],
  },
}

/** Fills the demo practice, once. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if ((await listFiles(ctx, { rows: 1 })).length) return
  const { folder, files, link } = demoFiles[which]
  const [client] = await listClientOptions(ctx, { rows: 1 })
  const { id: folderId } = await ctx.write((tx) => createFolder(tx, { name: folder }))
  const shared: number[] = []
  for (const { name, tags, text } of files) {
    const created = await withContent(ctx, Readable.from([Buffer.from(text)]), {}, (tx, content) =>
      createFromContent(tx, { name, content }, { folderId, tags }),
    )
    shared.push(created.id)
  }
  await ctx.write((tx) =>
    createLink(tx, { name: 'The first ninety days', fileUrl: link, type: 'link', tags: ['reading'] }),
  )
  if (!client) return
  const share = await ctx.write((tx) => createShare(tx, shared[0]!, { audience: 'client', clientId: client.id }))
  const open = await findOpenShare(ctx, share.id, client.id)
  await openShare(ctx, open!, { clientId: client.id, password: '', device: { userAgent: null, address: '127.0.0.1' } })
}
