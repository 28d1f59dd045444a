import type { DemoPractice } from '#modules/core/manifest.ts'

/** A line: who speaks, and the words. The coach speaks first. */
type Turn = [who: 'coach' | 'client', words: string]

const career: Turn[] = [
  ['coach', 'Good to see you. What has happened since we last spoke?'],
  ['client', 'I went to the second interview. They offered me the position, and I said that I need a week.'],
  ['coach', 'A week is a real answer. What would you need to know by the end of it?'],
  [
    'client',
    'Whether I want it, or whether I only want to be wanted. I keep waiting for somebody to approve the decision.',
  ],
  ['coach', 'Where else does that waiting show up?'],
  ['client', 'At home too. I ask my brother before I buy a chair. It is the same pattern everywhere.'],
  ['coach', 'So the question is not the job. It is who is allowed to decide.'],
  ['client', 'Yes. And the money is settled, we have nine months of runway. I checked it twice with the bank.'],
  ['coach', 'Then let us use the week. What is the smallest honest step?'],
  ['client', 'I will draft the resignation letter by Friday, without sending it. I want to see how it feels on paper.'],
  ['coach', 'And the reference that you were worried about?'],
  ['client', 'I will call Dana on Tuesday and ask for an honest one.'],
  ['coach', 'I will send you the list of questions about what enough means, today.'],
  ['client', 'That helps. Sleep went from five hours to seven, by the way. The Sunday rule works.'],
  ['coach', 'Keep the rule. We look at the letter together next time.'],
]

const leadership: Turn[] = [
  ['coach', 'You wrote that the team meeting went wrong. Tell me what you saw.'],
  ['client', 'I asked for opinions and nobody spoke. So I decided alone, and then they were angry about it.'],
  ['coach', 'What did you do in the silence?'],
  ['client', 'I counted to three and filled it. I always fill it. Ten seconds feel like a minute.'],
  ['coach', 'What might happen after ten seconds?'],
  ['client', 'Somebody quieter would speak. Marta has the best ideas, but she needs time before she says them.'],
  ['coach', 'So your speed decides who is heard.'],
  ['client', 'That hurts a little, but yes. I lose the best ideas in the room because I cannot stand the pause.'],
  ['coach', 'What will you try on Thursday?'],
  ['client', 'I will send the question a day before the meeting, so that people can think.'],
  ['client', 'And I will let Marta open the discussion instead of me.'],
  ['coach', 'Notice what your body does in the pause. Write it down right after.'],
  ['client', 'I can do that. I will write three lines after each meeting until the end of the month.'],
  ['coach', 'I will look at your notes before our next session.'],
]

const health: Turn[] = [
  ['coach', 'How was the week with the new evenings?'],
  ['client', 'Four of seven. I put the phone in the kitchen on four nights, and I slept before eleven each time.'],
  ['coach', 'And the other three?'],
  ['client', 'Work messages. I told myself it was five minutes. It was an hour, and then I was awake until one.'],
  ['coach', 'What was different on the four good nights?'],
  ['client', 'Somebody else was at home. When I am alone the evening has no shape, so I fill it with work.'],
  ['coach', 'That is worth knowing. The problem is not the phone, it is the empty evening.'],
  ['client', 'I had never put it like that. My energy in the morning depends on the evening before, completely.'],
  ['coach', 'What could give a shape to an evening alone?'],
  ['client', 'Swimming. The pool is open until nine on Mondays and Wednesdays.'],
  ['client', 'I will sign up for the Monday lane this week.'],
  ['coach', 'And the messages?'],
  ['client', 'I will tell my manager that I answer after eight in the morning. I should have done it in spring.'],
  ['coach', 'I will send you the short text that others have used for that conversation.'],
]

const confidence: Turn[] = [
  ['coach', 'You gave the talk. What do you remember first?'],
  ['client', 'The face of a woman in the second row who nodded the whole time. I spoke to her and forgot the rest.'],
  ['coach', 'So you found one person instead of a room.'],
  ['client', 'Yes. And nobody noticed that I skipped a slide. For years I believed that everybody sees each mistake.'],
  ['coach', 'What does that change?'],
  ['client', 'I prepare half as much and it is better. I over-prepare because I am afraid, not because it helps.'],
  ['coach', 'Where would you like to use that next?'],
  ['client', 'In the negotiation about my fee. I have never asked for more than they offered.'],
  ['coach', 'What would you ask for, if you were not afraid?'],
  ['client', 'Twenty percent more. The market pays that, I looked at six offers.'],
  ['client', 'I will ask for the higher fee in the call next week.'],
  ['coach', 'Say the number, and then stop speaking.'],
  ['client', 'I will practice the sentence aloud every morning until then.'],
  ['coach', 'I will call you for ten minutes the evening before.'],
]

const founder: Turn[] = [
  ['coach', 'Where are you with the two hires?'],
  ['client', 'One is decided, the engineer starts in January. The other one we argued about for two hours.'],
  ['coach', 'Who argued?'],
  [
    'client',
    'My co-founder and I. He wants somebody senior, I want somebody who learns. We never said what the role is for.',
  ],
  ['coach', 'Then you are arguing about two different jobs.'],
  [
    'client',
    'That is exactly it. We have no shared picture of next year, so each hire becomes a fight about the future.',
  ],
  ['coach', 'What would a shared picture look like on one page?'],
  ['client', 'Three numbers and two sentences. Revenue, customers and how many people we want to be.'],
  ['client', 'I will write my version of the page by Monday and ask him to write his.'],
  ['coach', 'Separately?'],
  ['client', 'Yes, separately. Otherwise he edits mine, and we are polite instead of honest.'],
  ['coach', 'And the letter to the board?'],
  [
    'client',
    'Still not written. I avoid it because the churn number is bad. I will send it on Friday with the number in the first line.',
  ],
  ['coach', 'I will read a draft on Thursday, if you want.'],
]

const transition: Turn[] = [
  ['coach', 'You look lighter than last month.'],
  ['client', 'I told my mother that I will not take over the practice. I had carried that sentence for two years.'],
  ['coach', 'What happened when you said it?'],
  [
    'client',
    'She was quiet, and then she said that she had known. All the fear was in my head, none of it was in the room.',
  ],
  ['coach', 'What do you do with the space that the sentence took?'],
  ['client', 'I want to teach. Not later, now. Two evenings a week would be enough to find out.'],
  ['coach', 'What is in the way?'],
  ['client', 'The form. I have had the application of the evening school on my desk since March.'],
  ['client', 'I will fill in the application this weekend and hand it in on Monday.'],
  ['coach', 'Who will you tell, so that it is real?'],
  ['client', 'My sister. She asks about it every time, and I always change the subject.'],
  ['coach', 'The pattern was to protect everybody from your wishes. This week you stopped.'],
  ['client', 'I want to remember that. Most of what I feared did not happen.'],
  ['coach', 'I will write you that sentence on a card.'],
]

const running: Turn[] = [
  ['coach', 'Show me the log. What was the longest run?'],
  ['client', 'Fourteen kilometers on Sunday. The last two were slow, but the knee was quiet.'],
  ['coach', 'And the easy runs, were they easy?'],
  ['client', 'No. I looked at the watch and I was too fast on all of them. My pulse was ten beats above the plan.'],
  ['coach', 'Easy runs are where the knee heals. Too fast there costs you the long one.'],
  ['client', 'I know it and I do not do it. When somebody passes me I speed up.'],
  ['coach', 'Then run where nobody passes you.'],
  ['client', 'I will run the forest loop on Tuesday and Thursday, without looking at the pace.'],
  ['coach', 'I will take the pace out of your plan for two weeks, only time and pulse.'],
  ['client', 'Good. I will send you the pulse after every run.'],
]

const pacing: Turn[] = [
  ['coach', 'You wanted to talk about the race in May.'],
  ['client', 'I am afraid of the start. Everybody runs, I run with them, and after five kilometers I am empty.'],
  ['coach', 'What was different in the race that went well?'],
  ['client', 'I started at the very back on purpose. I passed people the whole time, and it felt easy until the end.'],
  ['coach', 'So the start decides how the race feels.'],
  ['client', 'I will start in the last block in May, even if my friends stand further ahead.'],
  ['coach', 'I will write you a plan for the first five kilometers by the end of the week.'],
]

export const conversations: Record<DemoPractice['which'], Turn[][]> = {
  first: [career, leadership, health, confidence, founder, transition],
  second: [running, pacing],
}

/** As a program for video meetings writes it. */
export function toVtt(turns: Turn[], names: Record<Turn[0], string>): string {
  let second = 4
  const cues = turns.map(([who, words]) => {
    const start = second
    const end = start + Math.ceil(words.length / 14) + 1
    // Coaches ask, then wait.
    second = end + (who === 'coach' ? 70 : 150)
    return `${toTime(start)} --> ${toTime(end)}\n<v ${names[who]}>${words}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const toTime = (seconds: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.000`
}
