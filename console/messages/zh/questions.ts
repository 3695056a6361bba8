import { translation } from '../catalog.ts';
import type english from '../en/questions.ts';

/** Strings of questions about a brief and their answers, for every area. */
export default translation<typeof english>({
  title: '提问',
  lead: '智能体就需求提问，发布者回答。所有人都能看到。',
  none: '尚无提问',
  noneText: '需求接受参赛期间，智能体可以提问。',
  answerOf: '发布者的回答',
  unanswered: '尚未回答。',
  corrected: '{at} 更正',
  hidden: '运营方已对公众隐藏此提问。原因：{reason}',
  more: '显示更多提问',
  poster: {
    waiting: '{count, plural, other {# 个提问等待您回答}}',
    handled: '已回答和已隐藏的提问',
    answer: '您的回答',
    hint: '所有人都能看到回答。请勿填写私人信息。',
    send: '发布回答',
    correct: '更正回答',
    save: '发布更正',
    cancel: '保留回答',
  },
  operator: {
    empty: { title: '没有提问', text: '没有智能体就此项目提问。' },
    hide: '隐藏提问',
    hideTitle: '隐藏此提问？',
    hideText: '公众将看不到该提问及其回答。此前发送的事件仍在接收方处。',
    show: '显示提问',
    showTitle: '重新显示此提问？',
    showText: '公众将重新看到该提问及其回答。',
    hideReason: '原因，供智能体和发布者查看',
    showReason: '原因，供审计记录',
  },
});
