/** Texts about a demo client. `fourFs`: future goals, frustrations, fears, past failures. */
export type ClientTexts = {
  notes?: string
  fourFs?: [string, string, string, string]
  interactions?: [title: string, content: string][]
}

export const clientTexts: Record<string, ClientTexts> = {
  'Aoife Ní Bhriain': {
    interactions: [
      [
        'Her notice',
        'Handed it in at nine, called at ten past. ==“It took four minutes. I had given it four ' +
          'years.”==\n' +
          'Next: the two clients she wants to keep hear it from her, this week.',
      ],
      ['Coffee by the canal', 'First own commission is on paper. She paid.'],
    ],
  },
  'Bernard Achterberg': {
    notes:
      'Finished. The test was his holiday: **two weeks without opening the board**, and nothing ' +
      'burned.\n' +
      'What stayed: he asks “who else could decide this?” before he does.',
    fourFs: [
      'To build a team that hires better people than he is.',
      'Being thanked for rescues he should not have had to do.',
      'That without the late hours there is nothing special about him.',
      'Left his first team in anger, by e-mail.',
    ],
    interactions: [
      [
        'The night of the release',
        'Was online until two, again, unasked. We went through the evening minute by minute.\n' +
          '• Nobody had called him\n' +
          '• The fix he made was made twice\n' +
          '**Until next time:** phone in the kitchen after eight.',
      ],
    ],
  },
  'Yuki Tanabe': {
    fourFs: [
      'Work that ends when the light goes.',
      'Being the one who remembers everybody’s birthdays and deadlines.',
      'That resting is only a slower way to fail.',
      'The master’s degree, stopped one essay before the end.',
    ],
    interactions: [
      [
        'A letter from Yokohama',
        'Her mother is stable. She sleeps at the hospital on Tuesdays. __No reminders__, as agreed; ' +
          'answered with two lines and a photo of the garden.',
      ],
    ],
  },
  'Delphine Marchetti': {
    notes:
      'Raised prices by 30 % in one go, with a letter she wrote nine times. Lost one customer, who ' +
      'came back in March.\n' +
      '• The letter hangs in the workshop\n' +
      '• Closes on Mondays now',
    fourFs: [
      'An apprentice who stays.',
      'Explaining to people why a book by hand costs more than a book.',
      'That her father would have found the new prices vulgar.',
      'A second shop, closed after fourteen months.',
    ],
    interactions: [
      [
        'The letter, seventh version',
        'Read it aloud to me. I asked which sentence was for her father. She crossed out the whole second paragraph.',
      ],
    ],
  },
  'Tomasz Wierzbicki': {
    notes: 'Chose the yard, with a contract that says when it is over. His brother signed first.',
    fourFs: [
      'To have taught his daughter to sail before she can say no.',
      'Being asked for advice and not for a decision.',
      'Repeating his father, in a better jacket.',
      'Applied for the inspectorate twice and withdrew twice.',
    ],
    interactions: [
      [
        'The brothers at one table',
        'Three of us for ninety minutes. I said little.\n' +
          'They found the sentence themselves: ==“We do not need the same reason.”==',
      ],
    ],
  },
  'Ingrid Solheim': {
    fourFs: [
      'To chair, and enjoy it.',
      'Slides.',
      'Being the one who did not see it coming.',
      'The merger she announced a day before it failed.',
    ],
    interactions: [
      [
        'Before the June board',
        'Three questions. We answered one and threw the other two away, because nobody will ask them.',
      ],
      [
        'After the board',
        'Forty minutes shorter. She was asked to chair the next one and said yes **before** thinking.',
      ],
    ],
  },
  'Obinna Nwachukwu': {
    notes:
      'Hired Chidinma. Let her be wrong about the warehouse, and she was right.\n' +
      'We ended on a joke, as agreed in the first session.',
    fourFs: [
      'A company that can lose him for a month.',
      'Answering the same question in four time zones.',
      'That trust is what people say before they steal.',
      'Trusted a cousin with the first truck.',
    ],
    interactions: [
      [
        'Second in command, first week',
        'She moved his desk. He let her. We laughed about it for a while, then talked about ==what the desk was for==.',
      ],
    ],
  },
  'Catherine Bellweather': {
    notes: 'Nine sessions around one school year. Ended where it began: with the empty gym and what it could be.',
    fourFs: [
      'A staff room in which people argue and stay.',
      'Policies written by people who have not met a nine-year-old.',
      'Leaving nothing behind but good files.',
      'Did not fight for the music teacher in 2016.',
    ],
  },
  'Mateo Álvarez Ruiz': {
    interactions: [
      [
        'Rodrigo’s number',
        'He read me the offer like a weather report. When I asked what he wanted he answered with ' +
          '**a percentage**.\n' +
          'Silence, two minutes. Then: “to draw”.',
      ],
      [
        'An ordinary Tuesday, in three years',
        '• 8:00 nobody knows where he is\n' +
          '• 10:00 the new ones show him a section\n' +
          '• 15:00 draws\n' +
          'Rodrigo is not in it. He noticed himself.',
      ],
    ],
  },
  'Hana Kovářová': {
    notes: 'Paused in the spring. The kiln is being rebuilt, and so, she says, is she.',
    fourFs: [
      'One piece a year that scares her.',
      'Fairs.',
      'Being called charming.',
      'The Prague exhibition she said no to.',
    ],
  },
  'Marcus Thibodeaux': {
    notes:
      'Seven hours on five nights, **eleven weeks in a row**. Falls asleep at the movies now; his ' +
      'daughter keeps a list.',
    fourFs: [
      'To be bored once a week.',
      'Charts after midnight.',
      'That tired is simply what he is.',
      'Missed the recital. Twice.',
    ],
    interactions: [
      [
        'The list on the fridge',
        'His daughter rates the mornings. Average 3.8 of 5. He brought it along, in a folder.',
      ],
    ],
  },
  'Priscilla Vandermeer': {
    notes: 'Left the partnership track in October, kept four clients, and the boat.',
    fourFs: [
      'A Monday that she chooses.',
      'January to April.',
      'That without the title her mother stops asking.',
      'Studied law because of a boy.',
    ],
    interactions: [
      [
        'Numbers, then the other numbers',
        'She had calculated everything but the hours. We did the hours. ==Sixty-one.== She looked at ' +
          'it for a long time.',
      ],
    ],
  },
  'Rustam Akhmedov': {
    notes: 'Still undecided, and tired of the word. Agreed to rest until he calls.',
    fourFs: [
      'To be from one place.',
      'Contracts of eleven months.',
      'That his sons already speak better English than Russian.',
      'Sold his father’s flat too soon.',
    ],
    interactions: [
      [
        'By phone from the site',
        'Forty-four degrees, bad line. One thing was clear: he said “home” three times and meant **three places**.',
      ],
    ],
  },
  'Solveig Aune': {
    notes: 'Went on the expedition, came back with a beard of ice and a decision.',
    fourFs: [
      'Fewer papers, more winters.',
      'Grant season.',
      'Getting used to warm rooms.',
      'Turned down the professorship by not answering.',
    ],
  },
  'Dimitri Papadakis': {
    notes:
      'Eleni runs the reception on four days. On the fifth he hovers, __by agreement__, until noon.\n' +
      '• Guests ask for her now\n' +
      '• He cooks again',
    fourFs: [
      'A winter in which the hotel is simply closed.',
      'Reviews that mention the pillows.',
      'That Eleni is better at it, and that she isn’t.',
      'The second hotel, 2009.',
    ],
    interactions: [
      [
        'The first weekend without him',
        'He stayed in the car park for an hour, then drove to the sea. Nobody called. We counted ' +
          'what that felt like: relief 6, insult 4.',
      ],
    ],
  },
  'Leotie Redcloud': {
    fourFs: [
      'Three courses, one cloth a year.',
      'Mail.',
      'That no is heard as never.',
      'Lent the big loom and never asked for it back.',
    ],
    interactions: [['The first no', 'Sent on the 4th. Nobody was angry. She was, a little, at the years before.']],
  },
  'Grégoire Delacroix-Nguyen': {
    notes: 'Ten sessions about what is left of a day after court. Sings in a choir again; second bass.',
    fourFs: [
      'To be gentle by profession, once.',
      'Winning.',
      'That his children learned cross-examination from him.',
      'The case of 2011. He tells it in one sentence.',
    ],
  },
  'Zeynep Şahin': {
    interactions: [
      [
        'Seven of nine',
        'One sentence in the first five minutes, whatever it is. The tally is in her phone, under “groceries”.',
      ],
      [
        'The good numbers',
        'Apologised for a margin that is the best in six years. I repeated the sentence without the ' +
          'apology. ==She laughed out loud.==',
      ],
    ],
  },
  'Wendell Okonkwo-Price': {
    notes: 'Own production company since May, two people and a dog. First series sold.',
    fourFs: [
      'To be quoted, not edited.',
      'Committees that listen to the first minute.',
      'Silence after a pitch.',
      'A play. One night.',
    ],
    interactions: [['Pitch, rehearsed', 'He is at his best when he forgets the second page. So: no second page.']],
  },
  'Nguyễn Thảo Vy': {
    fourFs: [
      'A shelf with her own name on one spine.',
      'Being praised for her invisibility.',
      'That there is only one book in her, and that it is short.',
      'Burned the first manuscript, literally.',
    ],
    interactions: [
      ['The letter', 'Two years, and then in one evening. It is good. I said so, once.'],
      [
        'Waiting',
        'Not the second letter. A list of **what waiting is not**:\n' +
          '• refreshing the mail\n' +
          '• asking her sister\n' +
          '• beginning to translate again',
      ],
    ],
  },
  'Faisal Al-Harthi': {
    notes: 'They come separately at the moment, at her wish. Paused until the summer schedule is out.',
    fourFs: [
      'To land at home.',
      'Calendars as the only shared language.',
      'That he is easier to love at altitude.',
      'First marriage: four years, six postings.',
    ],
  },
  'Annika Lindholm': {
    notes: 'Ended early and well. Runs with two neighbours; the app is deleted.',
    fourFs: [
      'To finish things at four.',
      'Retrospectives without a retro.',
      'That calm is laziness with better light.',
      'Burned out in 2019 and called it a cold.',
    ],
  },
  'Rosalind Achebe': {
    notes:
      'Two productions, as planned. Said no to a third in a sentence without “but”.\n' +
      'Watch: she gives the no away again in the corridor.',
    fourFs: [
      'To design one opera.',
      'Fittings at eleven at night.',
      'The phone not ringing in August.',
      'Worked for a friend’s thanks for a year.',
    ],
    interactions: [
      [
        'The corridor',
        'Said no in the meeting and yes by the lift. We stood up and rehearsed **leaving by the stairs**.',
      ],
    ],
  },
  'Emeka Balogun': {
    fourFs: [
      'Light in four hundred schools.',
      'Investors who say “impact”.',
      'That his sister stays out of duty.',
      'The first pilot: panels stolen in a week.',
    ],
    interactions: [
      [
        'Two thirds committed',
        'Tells investors the truth now and it goes faster. Practised the worst question, without the smile.',
      ],
      [
        'About his sister',
        'Not one private conversation in a month. He put it on the term sheet as a joke, and then ==left it there==.',
      ],
    ],
  },
  'Siobhan Gallagher': {
    notes: 'Works four days. On the fifth she is in the garden or in trouble, as she puts it.',
    fourFs: [
      'To be surprised by a child again.',
      'Other people’s Christmases.',
      'That the files are the most intimate thing she has.',
      'Did not go to New Zealand.',
    ],
  },
  'Paulo Figueiredo': {
    notes: 'Sold the second restaurant. Does not answer at the moment; wrote once in March, **keep the door open**.',
    fourFs: [
      'Lunch only.',
      'Delivery apps.',
      'That the name is worth more than he is.',
      'Opened in a bad street because of the view.',
    ],
  },
  'Kwame Mensah': {
    interactions: [
      ['They shipped without him', 'He found out from a customer. Laughed, was quiet, laughed again.'],
      [
        'The release calendar',
        'Abena has all of it. He asked for read access and she said no. ==He told me this proudly.==',
      ],
    ],
  },
  'Beatrix Halloran': {
    notes:
      'Five days, and the till says the same. What is new is Tuesday: she does not know what to do ' +
      'with it and that is the point.\n' +
      '• Bread class for six, once a month\n' +
      '• No wholesale on Mondays',
    fourFs: [
      'A bakery that smells of bread, not of panic.',
      'Allergies as small talk.',
      'Being closed when the street is full.',
      'The food truck.',
    ],
    interactions: [
      [
        'Tuesday',
        'She came in on her day off to “check the starter”. The starter was fine. We made a plan for ' +
          'a whole Tuesday without flour.',
      ],
    ],
  },
  'Jean-Baptiste Rameau': {
    notes: 'Left the orchestra after 22 years; teaches and plays what he likes, badly paid and very well.',
    fourFs: [
      'One recording, late.',
      'Conductors younger than his shoes.',
      'That he was a section and never a voice.',
      'The Geneva audition.',
    ],
  },
  'Shreya Chattopadhyay': {
    notes:
      'Feedback on the day: 11 of 14 since June. Under two minutes: 4.\n' +
      'Says “just one more thing” when it gets true.',
    fourFs: [
      'A group that disagrees in the open.',
      'Slack after nine.',
      'Hurting someone who will remember it better than she does.',
      'Kept a weak postdoc for two years out of kindness.',
    ],
    interactions: [
      ['Two minutes', 'Role play with a kitchen timer. The first minute is context nobody needs. We cut it.'],
    ],
  },
  'Lucian Moldoveanu': {
    notes: 'Changed jobs in the middle of it and wants to see first. Wrote a kind mail.',
    fourFs: [
      'To write code on Fridays.',
      'Being asked for estimates.',
      'That managing is what one does when one stops being good.',
      'Two teams, both reorganised.',
    ],
  },
  'Gwendolyn Ashworth': {
    notes: 'Waiting list instead of weekends. **Books closed in November** for the first time.',
    fourFs: [
      'A house for people who cook.',
      'Mood boards by committee.',
      'Good taste as a fashion.',
      'A showroom, eighteen months.',
    ],
    interactions: [
      [
        'The waiting list',
        'Three people on it after a day. She called it rude and then, ten minutes later, “rather nice”.',
      ],
    ],
  },
  'Mohammed El Idrissi': {
    notes:
      'Second interview in Rotterdam. He answers questions about ships with ships; we practise ' +
      'answering with **people**.',
    fourFs: [
      'To decide where the ships go.',
      'Being the one who knows and the other one who signs.',
      'That forty-six is late.',
      'Did not take the Marseille post in 2018 because of their home.',
    ],
    interactions: [
      [
        'Before Rotterdam',
        '• One story about a crew, not a cargo\n• One number he is proud of\n• One question for them',
      ],
    ],
  },
  'Freya Bjarnadóttir': {
    notes: 'Yes to the expedition, in writing, with the date on which she may still say no. That date is what helped.',
    fourFs: [
      'To know one valley completely.',
      'Tourism boards.',
      'Weather as an excuse.',
      'Turned back 200 m below the rim in 2020 and has not told anyone why.',
    ],
    interactions: [['The date', '“I can say no until the 30th.” ==Once it was allowed she did not want to.==']],
  },
  'Terrence Whitlock': {
    fourFs: [
      'To sit with the living, too.',
      'Forms at the door of a room where someone is dying.',
      'Becoming good at it.',
      'Left the parish after the fire.',
    ],
    interactions: [
      [
        'Walking home',
        'Half an hour, nobody’s. Talked about the joke he makes when it gets close. He made it, we ' +
          'waited, then it came.',
      ],
    ],
  },
  'Camille Ouattara': {
    notes: 'Twelve pieces instead of forty. The atelier is quiet and sells more; she does not trust it yet.',
    fourFs: [
      'To be worn for ten years.',
      'Seasons.',
      'Being discovered and then forgotten in one spring.',
      'The Paris agent.',
    ],
    interactions: [
      [
        'Forty sketches on the floor',
        'She picked twelve in eleven minutes, then defended the other twenty-eight for an hour.',
      ],
    ],
  },
  'Elif Demirkan': {
    notes: 'Eight sessions, finished as planned. The trial closed on time and nobody was shouted at, herself included.',
    fourFs: [
      'To mentor two people properly.',
      'Audits as a temperament.',
      'Being thorough instead of brave.',
      'Said nothing in the Basel meeting.',
    ],
  },
  'Haruto Ishikawa': {
    notes: 'Came three times. Crunch until spring; writes when it is over.',
    fourFs: [
      'A small game, finished.',
      'Milestones named after gods.',
      'Outliving his genre.',
      'Cancelled after four years, two weeks before launch.',
    ],
  },
  'Magdalena Ochoa': {
    notes:
      'Wins less at home. Her husband has noticed and is suspicious.\n' +
      'Experiment: one dinner a week at which she **asks three questions and answers none**.',
    fourFs: [
      'To be disarmed, once, on purpose.',
      'Judges who read in the lift.',
      'That she likes the fight better than the peace.',
      'Her sister. Six years of silence.',
    ],
    interactions: [
      ['Three questions', 'Managed two. The third was a closing argument, she says, “but with a question mark”.'],
    ],
  },
  'Olumide Sanusi': {
    notes: 'Named the price, said nothing, counted to nine. They said yes at seven.',
    fourFs: [
      'One show that is still heard in ten years.',
      'Exposure as currency.',
      'Silence, professionally.',
      'Gave away the format of his first hit.',
    ],
    interactions: [
      ['Counting to nine', 'We rehearsed the silence more often than the price. ==The silence was harder.=='],
    ],
  },
  'Vesna Horvat': {
    notes: 'Ended after six sessions. Swims before work, also in March.',
    fourFs: [
      'To age without hurrying.',
      'Night duty and its heroes.',
      'That she only heals by the clock.',
      'Stopped the doctorate for the shop.',
    ],
  },
  'Clayton Burrows': {
    fourFs: [
      'To want something that has no acreage.',
      'Being the third of a name.',
      'Selling. Not selling.',
      'Left for college and came back for calving and stayed.',
    ],
    interactions: [
      [
        'Along the fence',
        'By phone, wind in the line. He fixed eleven posts and said one sentence about his father ' +
          'that he had ==not said before==.',
      ],
    ],
  },
  'Nadia Rahimi': {
    notes:
      'Leaves the phone in the drawer from six. The drawer has a name.\n• Sleeps better\n• Eats lunch sitting down',
    fourFs: [
      'To host people who are not in trouble.',
      'Queues.',
      'Stopping, because of what might come up.',
      'Took a case home, literally, in 2017.',
    ],
    interactions: [['The drawer', 'First week: opened it four times. Second: once, for the torch.']],
  },
  'Stefano Benedetti': {
    notes:
      'His father asked him, at the table, what he would do with the upper vineyard. First time. He ' +
      'had an answer and gave half of it.',
    fourFs: [
      'One wine that his father would not have made.',
      'Sentences that begin with “we have always”.',
      'To be asked too late.',
      'The orange wine, 2016.',
    ],
    interactions: [
      [
        'Half an answer',
        'We finished the other half here, aloud, twice. He will say it during pruning, ==side by ' +
          'side, not face to face==.',
      ],
    ],
  },
  'Imogen Fairweather': {
    notes: 'Applied for the post in the Pacific ministry. If not this one, then one like it.',
    fourFs: [
      'To write a law that is short.',
      'Consultations after the decision.',
      'Being useful and nothing else.',
      'Came second, three times.',
    ],
  },
  'Ravi Subramaniam': {
    notes: 'One opinion a week. So far: **4 of 7**, and twice he changed the room.',
    fourFs: [
      'To be disagreed with by people he hired.',
      'Alignment.',
      'That consensus is his only skill.',
      'Approved the migration he did not believe in.',
    ],
    interactions: [['Opinion of the week', '“We do not need this team.” Said it on Wednesday, survived Thursday.']],
  },
  'Charlotte Duval': {
    notes: 'Thinks about a second room. We count first: hands, hours, francs. Hands are the bottleneck.',
    fourFs: [
      'A practice with a door between it and the flat.',
      'No-shows.',
      'Growing out of touch, in both senses.',
      'Partner in a practice for one year.',
    ],
  },
  'Isaiah Goldberg': {
    notes: 'On hold until the workshop has moved.',
    fourFs: [
      'An apprentice with better ears.',
      'Repairs of instruments he would not have built.',
      'His hands.',
      'Never wrote down his father’s method.',
    ],
  },
  'Aroha Ngata': {
    notes:
      'Reopening in nine weeks. She has asked for a title on the wall text: “conceived by”. Nobody ' +
      'objected; she had prepared for an hour.',
    fourFs: [
      'To be thanked once for something that was hers.',
      'Steering groups.',
      'Being the face and not the hand.',
      'Gave the last exhibition away to be nice.',
    ],
    interactions: [
      [
        '“Conceived by”',
        'Prepared eleven arguments, needed none. What do we do with eleven arguments? ==Keep them for the budget.==',
      ],
    ],
  },
  'Filip Novotný': {
    notes: 'Three offers, one of which he likes. Writes pros and cons in code.',
    fourFs: [
      'A Friday without clients.',
      'Time sheets.',
      'Needing somebody.',
      'A start-up with his best friend; no longer either.',
    ],
  },
  'Josephine Adeyemi': {
    notes:
      'Asked for money without apologising, on the phone, standing. **£40,000.**\n' +
      'Next: asks someone who can say no to more.',
    fourFs: [
      'Three years of money in the bank.',
      'Being admired instead of funded.',
      'That asking is begging in a blazer.',
      'Paid salaries from her savings in 2020.',
    ],
    interactions: [
      ['Standing up', 'She tried the call sitting and standing. Standing, she left out “I know times are hard”.'],
    ],
  },
  'Benicio Carvalho': {
    notes: 'Came with a board under his arm. Wants his wife to come next time; I want her to want to.',
    fourFs: [
      'To have dinner before ten.',
      'August.',
      'That the sea is where he hides.',
      'Missed the anniversary for a swell.',
    ],
  },
  'Priya Raghunathan': {
    interactions: [
      ['Sent the values exercise', 'She answered the same evening: **autonomy first**, status last.'],
      ['Short call before the interview', 'Ten minutes. Nervous about the salary question; rehearsed the pause.'],
      ['Session 5', 'Named the pattern of waiting for approval. Agreed to draft the letter, not to send it.'],
    ],
  },
  'Owen Prydderch': {
    notes: 'Sleeps four hours after nights. We begin with the drive home: __no news, one song__.',
    fourFs: [
      'To sleep without the radio.',
      'Thanks from people who will not remember it.',
      'The next one that looks like his son.',
      'Quit and came back after nine days.',
    ],
  },
  'Saoirse Kelleher': {
    notes: 'Explained her work to her grandmother. Grandmother: “and who is that for?” ==Good question.==',
    fourFs: [
      'To explain it in one sentence.',
      'Dashboards nobody opens.',
      'That curiosity is not a career.',
      'Left physics for money.',
    ],
  },
  'Miguel Santangelo': {
    notes: 'New role since May, old habits since school. Talks about the team in the first person singular.',
    fourFs: [
      'A team that sells without him in the room.',
      'Forecast calls.',
      'Being found out as lucky.',
      'Lost his best two people in one week.',
    ],
  },
  'Thandiwe Mokoena': {
    notes: 'First free evening: cleaned the oven. Second: cinema, alone, back row.',
    fourFs: [
      'An evening a week that belongs to nobody’s deadline.',
      '“Just one more pass.”',
      'Empty evenings.',
      'Cut a film for two years without a contract.',
    ],
  },
  'Alistair McPhee': {
    interactions: [
      [
        'Discovery call',
        'Forty minutes. Precise, dry, funnier than he thinks. “Is it the job or the age?” – asked it ' +
          'three times, ==each time more softly==.',
      ],
    ],
  },
  'Leilani Kahale': {
    interactions: [
      [
        'Discovery call',
        'By video, her studio behind her, all blue. Wants to sell less and better. Sent the questions.',
      ],
    ],
  },
  'Jordan Whitefeather': {
    interactions: [
      [
        'Discovery call',
        'Funny, quick, a little out of breath. Three projects at 80 %.\nSend the questions on Monday.',
      ],
    ],
  },
  'Gunilla Ekström': {
    fourFs: [
      'To show Elsa the finish from the inside.',
      'Shoes for “seniors”.',
      'Falling, and being helped up by young people.',
      'Ran a kilometre at school and was sick.',
    ],
    interactions: [
      ['Race day', '1:14. Cried at kilometre nine, the good way. Elsa ran the last hundred metres with her.'],
    ],
  },
  'Per-Olof Hägg': {
    fourFs: [
      'The canoe, alone, from the car to the water.',
      'Advice to take it easy.',
      'The other shoulder.',
      'Lifted a stove in 2014.',
    ],
    interactions: [
      [
        '20 kg',
        'Left shoulder is fine. No overhead work until the end of the month.\n' +
          '• rows 3 × 12\n' +
          '• farmer’s walk, two rounds',
      ],
    ],
  },
  'Fatima Zahra Benali': {
    notes:
      'Sleeps in two parts after nights, 4 + 2. Blackout blinds, no coffee after the midnight round. ' +
      '**Weekly average 6:40.**',
    fourFs: [
      'Two nights in a row without losing the week.',
      'Colleagues who brag with tiredness.',
      'A mistake at four in the morning.',
      'Tried pills for a winter.',
    ],
    interactions: [
      [
        'Sleep diary, week 3',
        'Best night 7:10, worst 4:05. The worst was not a shift, it was her sister’s call. Good to know.',
      ],
    ],
  },
  'Sören Kjeldsen': {
    interactions: [
      [
        'The knee',
        'MRI on the 12th. No running, no stairs on board if he can help it. Swims instead, complains about it.',
      ],
    ],
  },
  'Matilda Öberg': {
    fourFs: [
      'A half marathon before forty-five.',
      'Being overtaken by strollers.',
      'Stopping at kilometre 15 like last time.',
      'Göteborg 2022: stopped at kilometre 15.',
    ],
    interactions: [
      ['16 km', '7:10 a kilometre, pulse under 150 because she was on the phone with me. We do that on Sundays.'],
    ],
  },
  'Anders Nyström': {
    notes:
      'Gets up from the floor with one hand now. Goal: none.\n' + '• split squats 3 × 8\n• hip mobility before work',
    fourFs: [
      'To play on the floor with grandchildren who are not born yet.',
      'Warm-ups.',
      'The sound of his knees.',
      'Gym card, 2017 to 2017.',
    ],
  },
  'Leena Virtanen': {
    notes: 'Screens off at ten on work days: 9 of 12. Wakes at three, thinks of VAT.',
    fourFs: [
      'To wake by herself.',
      'Quarter ends.',
      'The hour between three and four.',
      'Melatonin, meditation, a very expensive pillow.',
    ],
  },
  'Ibrahim Yusuf': {
    fourFs: [
      'To run home along the river.',
      'Sitting for a living.',
      'His father’s heart.',
      'Started in January, four times.',
    ],
    interactions: [['Blood pressure', '148/92 in the first week, **139/88** now. His doctor knows about the plan.']],
  },
  'Kerstin Lööf': {
    interactions: [
      [
        'First call',
        'Wants to begin before the snow is gone. Good boots, no watch. We begin with twenty minutes, three times.',
      ],
    ],
  },
}
