import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

/** Matched letter by letter, because particles follow words. Verbs follow their nouns; negated verbs have other forms. */
const GIVE = `알려주세요, 알려줘, 알려 주시, 알려달라, 불러줘, 불러 주, 불러줄, 보내줘, 보내주세요, 보내 주시, 전달해, 말씀해주, 말해줘, 캡처해서, 회신해, 답장으로, 전송해`;

export const KOREAN: LanguageCues = {
  tactics: {
    one_time_code: {
      finalVerbs: parsePhrases(GIVE),
      nouns: parsePhrases('인증번호, 인증코드, 확인코드, 문자로 간 번호, 6자리, otp 번호, 인증 번호'),
    },
    remote_access: {
      finalVerbs: parsePhrases(
        '설치해, 설치하세요, 설치 부탁, 다운로드하세요, 다운받, 깔아줘, 깔아 주, 깔고, 눌러 설치',
      ),
      nouns: parsePhrases('앱, 어플, 원격, 팀뷰어, 퀵서포트, anydesk, teamviewer'),
    },
    irrevocable_payment: {
      finalVerbs: parsePhrases('사서, 사줘, 구매해, 구입해, 보내줘, 사다줘, 사 줄, 구매 후, 사와'),
      nouns: parsePhrases('문화상품권, 상품권, 기프트카드, 구글 기프트, 비트코인, 구글플레이 카드, 기프티콘'),
    },
    credentials: {
      phrases: parsePhrases(
        '본인인증을 진행, 본인확인 필요, 정보를 업데이트, 정보 수정 바랍니다, 주소를 수정, 주소 확인 바랍니다, 주소지 확인, 배송지 확인, 배송지 수정, 주소 수정, 개인정보를 입력, 계좌정보 입력, 카드정보 입력, 본인 인증 바랍니다, 인증이 필요합니다, 본인확인 바랍니다',
      ),
      finalVerbs: parsePhrases(
        `${GIVE}, 입력하세요, 입력해, 입력 바랍니다, 입력하시, 찍어서, 찍어, 업데이트하세요, 등록하세요, 준비해`,
      ),
      nouns: parsePhrases(
        '비밀번호, 카드번호, 계좌번호, 주민등록번호, 신분증, 보안카드, 계좌정보, 카드정보, 주민번호, 신분증 사진, 공인인증서, 개인정보, 비번, 카드 사진',
      ),
    },
    sign_in: { phrases: parsePhrases('로그인하여 확인, 로그인 후 확인, 로그인하세요, 로그인 해주세요') },
    fee: {
      phrases: parsePhrases(
        '입금해 주세요, 입금해주세요, 입금 바랍니다, 송금해 주세요, 송금해줘, 송금해주세요, 납부하세요, 납부 바랍니다, 납부해 주세요, 지금 결제, 즉시 납부, 입금하세요, 입금하셔야, 돈 보내줘, 이체해줘, 이체해 주세요, 선입금, 돈 좀 빌려, 입금해야, 입금하시면, 송금해 줄, 송금 부탁, 이체 부탁, 입금 부탁',
      ),
      finalVerbs: parsePhrases('납부하, 입금하, 내셔야, 결제하, 보내주, 보내 주, 입금해, 송금하, 먼저 내'),
      nouns: parsePhrases(
        '수수료, 보증금, 관세, 벌금, 과태료, 예치금, 세금, 미납요금, 배송비, 통관비, 공탁금, 합의금, 보험료, 등록비, 미납금',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        '전화주세요, 전화 주세요, 연락주세요, 연락 바랍니다, 1번을 눌러, 1번 누르, 9번을 누르, 고객센터로 문의, 즉시 연락, 전화 바랍니다, 소비자원 신고, 문의전화, 신고센터, 즉시 문의, 아닐시 문의, 아닐 시 문의, 고객센터 문의',
      ),
    },
    secrecy: {
      phrases: parsePhrases(
        '아무에게도 말하지, 아무한테도 말하지, 누구에게도 말하지, 비밀로 해, 비밀 유지, 가족에게도 말하지, 비밀로 하, 주변에 말하지, 전화를 끊지, 발설하지, 발설하시면, 제3자에게 말',
      ),
    },
    elsewhere: {
      phrases: parsePhrases(
        '카톡 추가, 카카오톡 추가, 텔레그램으로 연락, 톡으로 연락, 라인 추가, 카톡 아이디, 카톡으로 연락, 카톡으로 톡, 텔레그램 추가, 이 번호로 저장, 번호 저장해, 카톡 친추, 카톡친구, 오픈채팅, 친추해, 단톡방 입장, 카톡으로',
      ),
    },
    open_link: {
      phrases: parsePhrases(
        '링크를 클릭, 링크 클릭, 아래 링크, 여기를 클릭, 링크를 눌러, 링크 접속, 주소 클릭, 아래 주소, 링크로 접속, 링크 확인, 링크 눌러, 링크에서, 클릭하세요, 앱 설치 링크',
      ),
      verbs: parsePhrases(
        '클릭, 확인, 접속, 신청, 조회, 바로가기, 수정, 인증, 납부, 가입, 입장, 다운로드, 변경, 확인하기',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        '폰이 고장, 핸드폰 고장, 휴대폰 고장, 폰 액정, 액정 깨, 액정이 깨, 번호 바뀌, 번호가 바뀌, 새 번호야, 폰 잃어버, 핸드폰 잃어버, 휴대폰 잃어버, 임시 번호, 폰 떨어뜨, 폰이 꺼졌어, 폰 고장, 폰 망가, 핸드폰이 망가, 폰 수리 맡',
      ),
    },
    blocked: {
      phrases: parsePhrases(
        '정지되었습니다, 정지됩니다, 정지 예정, 차단되었습니다, 차단됩니다, 이용이 제한, 사용이 제한, 이용 제한, 거래정지, 계좌가 정지, 계정이 정지, 동결되, 정지될 예정, 해지됩니다, 해지될, 제한되었습니다, 잠겼습니다, 계정이 잠, 사용 중지, 이용정지, 지급정지, 중지됩니다',
      ),
    },
    threat: {
      phrases: parsePhrases(
        '체포영장, 구속영장, 고소장, 법적 조치, 압류, 소환장, 자금세탁, 대포통장, 반송, 벌점, 구속수사, 법적조치, 영장이 발부, 사건에 연루, 강제집행, 형사 처벌, 출석요구',
      ),
    },
    haste: {
      phrases: parsePhrases(
        '긴급, 즉시, 오늘까지, 금일까지, 24시간 이내, 24시간 내, 마지막 기회, 최종 통보, 지금 바로, 마감임박, 오늘만, 급하게, 금일 중, 48시간 이내, 최종통보, 선착순, 금일 만료, 오늘 마감',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        '미납, 결제 실패, 결제가 실패, 연체되, 연체금, 결제가 거절, 자동이체 실패, 납부되지 않, 체납, 결제 오류, 미결제',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        '배송 불가, 배송불가, 주소 불일치, 주소 오류, 배달 실패, 배송 실패, 배송이 지연, 주소 불명, 반송 처리, 주소지 미확인, 통관 보류, 배송 보류, 주소가 정확하지, 주소 미확인, 배달 불가, 주소가 불분명, 도로명 불일치, 세관에 보류, 운송장 오류, 주소불명',
      ),
    },
    unknown_activity: {
      phrases: parsePhrases(
        '본인이 아닐 경우, 본인 아닐 시, 본인 아닐시, 본인이 아니시면, 해외결제, 해외 결제, 비정상 로그인, 의심스러운, 새로운 기기, 결제 승인되었습니다, 이상거래, 명의도용, 명의 도용, 해외 로그인, 해외에서 로그인, 본인아닐시, 본인 아닌 경우, 명의로 개설',
      ),
    },
    virus: {
      phrases: parsePhrases(
        '바이러스에 감염, 바이러스가 발견, 악성코드, 해킹당, 바이러스 감염, 해킹되, 바이러스 발견, 해킹 위험',
      ),
    },
    prize: {
      phrases: parsePhrases(
        '당첨되셨습니다, 당첨을 축하, 당첨되었습니다, 축하드립니다 당첨, 경품, 환급금, 지원금 대상, 당첨자, 당첨금, 무료 증정, 무료증정, 재난지원금, 지원금 신청, 미환급금, 환급 대상, 환급 신청',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        '고수익, 일급, 재택알바, 재택근무, 부업, 수익 보장, 수익보장, 하루 수익, 원금보장, 원금 보장, 월수익, 당일지급, 투자수익, 수익률, 수익금, 수익 인증, 재택 알바, 누구나 가능, 투잡, 단기 알바, 고액알바, 고액 알바',
      ),
    },
    offer: {
      phrases: parsePhrases(
        '저금리, 당일대출, 무담보, 신용대출, 정부지원대출, 대환대출, 대출 가능, 대출 승인, 한도조회, 무직자 대출, 비대면 대출, 대출 상담, 신용불량 가능, 소액대출, 특별대출',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        '번호를 잘못, 친구하고 싶, 알고 지내, 친하게 지내, 잘못 보냈, 프로필 보고, 프로필 사진 보고, 번호 잘못, 친구가 되고',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        '영상을 유포, 동영상을 유포, 지인들에게 유포, 지인에게 유포, 연락처 전부 확보, 녹화했, 지인들 연락처, 유포하겠, 몸캠, 영상 잘 봤, 가족과 회사',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        '회의 중이라, 회의 중이니, 통화가 어려, 통화 안 돼, 통화가 안, 전화 안 돼, 전화가 안 돼, 전화를 못 받, 통화는 어려',
      ),
    },
    vague_greeting: { phrases: parsePhrases('고객님께, 존경하는 고객, 친애하는 고객, 회원님께') },
  },
  topics: {
    delivery_scam: parsePhrases('택배, 운송장, 우체국, cj대한통운, 배송, 통관 번호, 세관 통관, 집배원'),
    toll_or_fine_scam: parsePhrases(
      '과태료, 교통위반, 범칙금, 하이패스, 통행료, 교통민원24, 벌점통지, 신호위반, 이파인',
    ),
    otp_request: parsePhrases(
      '인증번호 불러, 인증번호 알려, 인증번호 좀, 인증번호 보내, 인증번호를 알려, 인증번호를 보내, 문자로 간 번호',
    ),
    tax_scam: parsePhrases('국세청, 세금 환급, 홈택스, 종합소득세, 건강보험공단, 국민연금, 미환급금, 지방세'),
    bank_impersonation: parsePhrases(
      '고객님 계좌, 고객님의 계좌, 국민은행, 신한은행, 우리은행, 하나은행, 농협, 금융감독원, 카드 발급, 카드발급, 해외결제, 보안강화, 신용카드, 카드가 발급, 안전계좌, 금감원',
    ),
    account_takeover: parsePhrases(
      '계정이, 고객님의 계정, 네이버 계정, 카카오 계정, 넷플릭스, 구독, 계정 보호',
    ),
    tech_support_scam: parsePhrases('컴퓨터가, 원격 지원, 기술 지원, 바이러스 감염'),
    family_emergency: parsePhrases(
      '엄마 나, 아빠 나, 나 아들, 엄마 딸, 액정 깨, 액정이 깨, 폰 고장, 핸드폰 고장, 엄마야, 사고가 났, 엄마 폰',
    ),
    extortion: parsePhrases('몸캠, 영상을 유포, 지인들에게 유포, 유포하겠'),
    crypto_scam: parsePhrases(
      '코인, 투자, 주식, 비트코인, 급등주, 리딩방, 해외선물, 공모주, 추천주, 가상화폐',
    ),
    job_scam: parsePhrases('재택알바, 부업, 아르바이트, 알바, 구인구직, 고수익 알바, 리뷰 체험, 미션, 채용'),
    prize_scam: parsePhrases('당첨, 경품, 이벤트 당첨, 무료 증정, 무료증정, 추첨'),
    loan_scam: parsePhrases('대출, 저금리, 급전, 대환, 햇살론'),
    business_email_compromise: parsePhrases(
      '계좌 변경, 입금 계좌 변경, 변경된 계좌, 견적서 첨부, 세금계산서, 대표이사',
    ),
    marketplace_scam: parsePhrases('안전결제, 중고나라, 당근마켓, 번개장터, 택배거래'),
    romance_scam: parsePhrases('번호를 잘못, 친구하고 싶, 프로필 보고, 친하게 지내'),
    unwanted_advertising: parsePhrases('카지노, 토토, 바카라, 슬롯, 첫충, 꽁머니'),
    insurance_or_debt_scam: parsePhrases('채무, 보험금 환급, 개인회생, 채무조정'),
  },
};
