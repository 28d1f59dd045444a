import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const root = path.resolve(import.meta.dirname, '../..')

/** The emails of these are for the coach, which their texts alone don't say. */
const coachFiles = [
  'modules/billing/services/payment-emails.ts',
  'modules/forms/services/notifications.ts',
  'modules/tasks/services/reminders.ts',
  'tenants/accounts/jobs.ts',
]

/**
 * The subjects of all emails in the sources that are not for the coach, as patterns: what is computed matches any text.
 * Without subjects that are computed as a whole.
 */
export function listClientSubjects(): { file: string; pattern: RegExp }[] {
  const files = globSync('{modules,tenants}/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/e2e\//.test(file) && !coachFiles.includes(file))
    .sort()
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    if (!/\bparagraphs\b/.test(text) || !/\bsubject\b/.test(text)) return []
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    return listEmails(source).flatMap((email) =>
      listTexts(getValue(email, 'subject')!).map((found) => ({ file, pattern: new RegExp(`^${found}$`) })),
    )
  })
}

/** The literals of emails that are not for the coach. */
function listEmails(node: ts.Node): ts.ObjectLiteralExpression[] {
  const own = ts.isObjectLiteralExpression(node) && getValue(node, 'subject') && hasProperty(node, 'paragraphs')
  const inside: ts.ObjectLiteralExpression[] = []
  node.forEachChild((child) => void inside.push(...listEmails(child)))
  return own && !isForCoach(node) ? [node, ...inside] : inside
}

function isForCoach(email: ts.ObjectLiteralExpression): boolean {
  const isSpread = email.properties.some(
    (property) => ts.isSpreadAssignment(property) && property.expression.getText().startsWith('toCoach('),
  )
  const isArgument = ts.isCallExpression(email.parent) && email.parent.expression.getText() === 'emailCoach'
  return isSpread || isArgument || getValue(email, 'from')?.kind === ts.SyntaxKind.NullKeyword
}

const hasProperty = ({ properties }: ts.ObjectLiteralExpression, name: string): boolean =>
  properties.some((property) => property.name?.getText() === name)

const getValue = ({ properties }: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  properties.filter(ts.isPropertyAssignment).find((property) => property.name.getText() === name)?.initializer

/** The patterns of the texts that an expression can be; none where that is not known. */
function listTexts(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [escape(node.text)]
  if (ts.isConditionalExpression(node)) return [...listTexts(node.whenTrue), ...listTexts(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return listTexts(node.expression)
  if (!ts.isTemplateExpression(node)) return []
  return node.templateSpans.reduce(
    (heads, { expression, literal }) => {
      const texts = listTexts(expression)
      const parts = texts.length ? texts : ['.*']
      return heads.flatMap((head) => parts.map((part) => head + part + escape(literal.text)))
    },
    [escape(node.head.text)],
  )
}

const escape = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
